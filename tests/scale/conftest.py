"""One Ray cluster for all tests of a process, of two workers on this machine."""

import pytest

from ludus.scale import connect

ROOM = 6  # workers that the cluster has room for: some tests ask for others beside these


@pytest.fixture(scope="session")
def ray_workers():
    pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    from ludus.scale.cluster import cluster
    from ludus.scale.ray_workers import RayWorkers

    with cluster(None, ROOM) as ray, RayWorkers(ray, 2) as workers:
        yield workers


@pytest.fixture(params=["threads", "ray"])
def workers(request):
    """Workers wherever they are: in threads here, and in processes of Ray."""
    if request.param == "ray":
        return request.getfixturevalue("ray_workers")
    return request.getfixturevalue("thread_workers")


@pytest.fixture
def thread_workers():
    with connect("local", 2) as workers:
        yield workers
