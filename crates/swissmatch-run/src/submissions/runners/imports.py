"""Tells which names in this directory hide a module of Python or of the environment, and what an entry imports that is not there.

Started as: python -I -B imports.py ENTRY. Nothing of the entry is run. If there is nothing to tell it says `ready` and waits for the end
of its input; otherwise a line for each finding goes to standard error, after `hides:` or `lacks:`, then `looked`, and it ends with 3. Files that
the entry does not import are not looked at, nor are imports that are tried, or made when a function is called: they may never be needed.
What an entry seems to lack it may find by itself, so that is no more than an explanation.
"""
import ast
import importlib.machinery
import os
import sys

MOST = 8
here = os.getcwd()
entry = sys.argv[1]
search = [path for path in sys.path if path]


def is_there(name):
    if name == "__main__" or name in sys.builtin_module_names or name in sys.stdlib_module_names:
        return True
    return importlib.machinery.PathFinder.find_spec(name, search) is not None


def own_files(parts, below):
    """The files that are read when a module of the entry is imported, as far as there are such."""
    place = below
    for part in parts:
        place = os.path.join(place, part)
        if os.path.isdir(place):
            yield place
        for file in (place + ".py", os.path.join(place, "__init__.py")):
            if os.path.isfile(file):
                yield file


def imported(tree, file):
    """What is imported whenever a file is: the names of a module, its line, and where it is looked for; nowhere: among all."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from ((alias.name.split("."), node.lineno, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = node.module.split(".") if node.module else []
            below = None
            if node.level:
                below = os.path.dirname(file)
                for _ in range(node.level - 1):
                    below = os.path.dirname(below)
                yield from ((parts + [alias.name], node.lineno, below) for alias in node.names)
            yield parts, node.lineno, below


found = []
first = os.path.join(here, entry)
for name in sorted(os.listdir(here)):
    module, ending = os.path.splitext(name)
    is_module = ending == ".py" or os.path.isfile(os.path.join(here, name, "__init__.py"))
    if is_module and name != entry and is_there(module):
        found.append(f"hides: {name} hides the module {module} of Python or of the environment: call it otherwise")
waiting, seen = [first], {first}
while waiting:
    file = waiting.pop(0)
    shown = os.path.relpath(file, here)
    try:
        with open(file, "rb") as source:
            tree = ast.parse(source.read(), shown)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        found.append(f"lacks: {shown} is not Python: {error or type(error).__name__}")
        continue
    for parts, line, below in imported(tree, file):
        own = list(own_files(parts, below or here))
        if not own and below is None and parts and not is_there(parts[0]):
            found.append(f"lacks: {shown}, line {line}: imports {parts[0]}, which the environment does not have")
        own = [path for path in own if path.endswith(".py")]
        waiting += [path for path in own if path not in seen]
        seen.update(own)
if found:
    for finding in found[:MOST]:
        print(finding, file=sys.stderr)
    print("looked", file=sys.stderr)
    sys.exit(3)
print("ready", flush=True)
sys.stdin.read()
