"""One name for one thing: no two public classes share a name, but for those that are one thing."""

import ast
from collections import defaultdict
from pathlib import Path

import ludus

SOURCE = Path(ludus.__file__).parent
SHARED = {
    "Config": "the settings of a method, one a file",
    "Learner": "what a method's step does, one a file, and their protocol",
    "LudusEnv": "the environment, by the name that each library's users expect",
    **dict.fromkeys(
        ("Attention", "Bounded", "Cells", "Residual", "Select", "Weighting"),
        "a layer in a plan, and the same layer in torch",
    ),
}


def test_public_classes_do_not_share_names():
    homes = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path.relative_to(SOURCE)))
    shared = {name: files for name, files in homes.items() if len(files) > 1}
    assert shared.keys() == SHARED.keys(), shared
