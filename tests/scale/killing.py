"""Clusters of several nodes on this machine, whose workers and nodes are killed while they work."""

import os
import random
import signal
import threading
import time
from contextlib import contextmanager, suppress

TRIES = 10  # to start a node


@contextmanager
def killing_workers(workers, kills, seed, between=(0.05, 0.5)):
    """Kill a random worker at random moments, so often; yields the list of those that were."""
    rng, over, killed = random.Random(seed), threading.Event(), []

    def run():
        while len(killed) < kills and not over.wait(rng.uniform(*between)):
            there = [one for one in list(workers.workers) if one.pid and one.pid not in killed]
            if there:
                victim = rng.choice(there)
                with suppress(ProcessLookupError):
                    os.kill(victim.pid, signal.SIGKILL)
                    killed.append(victim.pid)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


@contextmanager
def nodes(count):
    """A cluster whose head does no work, and so many nodes of a worker each."""
    from ray.cluster_utils import Cluster

    from ludus.scale.cluster import import_ray

    ray = import_ray(alone=True)
    store = 80 * 2**20
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": store}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(count):
            cluster.add_node(num_cpus=1, object_store_memory=store)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster, ray
    finally:
        ray.shutdown()
        cluster.shutdown()


@contextmanager
def killing_nodes(cluster, workers, kills, seed, least=0.2, most=3.0):
    """Kill a random node at random moments and add another, until there were so many kills.

    A moment is one at which some worker is there: on a slow machine none ever would be else.
    """
    rng, over, killed, failed = random.Random(seed), threading.Event(), [], []
    store, size = 80 * 2**20, len(cluster.worker_nodes)
    # A node that ends with this process sets handlers of signals, which only the main thread may;
    # without them it ends with the head.
    cluster._shutdown_at_exit = False

    def add():
        for left in reversed(range(TRIES)):  # on a busy machine a node may not come up in time
            try:
                cluster.add_node(wait=False, num_cpus=1, object_store_memory=store)
                break
            except Exception:
                if not left:
                    raise
                time.sleep(1)

    def run():
        try:
            while len(killed) < kills and not over.wait(rng.uniform(least, most)):
                if any(one.state != "joining" for one in list(workers.workers)):
                    victim = rng.choice(list(cluster.worker_nodes))
                    cluster.remove_node(victim, allow_graceful=False)
                    killed.append(time.monotonic())
                while len(cluster.worker_nodes) < size and not over.is_set():
                    add()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield killed, failed
    finally:
        over.set()
        thread.join()
