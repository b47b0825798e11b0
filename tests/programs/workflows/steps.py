"""Runs the steps of workflows as their hosts do: every `run:` by the shell that they say, with actions of others played by files.

  steps.py WORKFLOW ACTION STATE [input=value …]   the job `league` or `gate` of a workflow

The directory is that of the checkout. STATE keeps what the host keeps: cache/, artifacts/, pages/. Where a workflow uses swissmatch,
ACTION is read. A signal to this program is one to the step at work, as a job gets it that is cancelled; steps that say always() are run
nevertheless. Exit code: that of the first step that failed. An expression that is not known ends it with 70.
"""

import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from ruamel.yaml import YAML

UNKNOWN = 70
CANCELLED = 130


def read(path):
    return YAML(typ="safe", pure=True).load(pathlib.Path(path).read_text())


def stop(why):
    print(f"steps.py: {why}", file=sys.stderr)
    sys.exit(UNKNOWN)


class Host:
    """What outlives a step: signals, what is stored, the first failure."""

    def __init__(self, state):
        self.state = pathlib.Path(state).resolve()
        self.temp = tempfile.mkdtemp(dir=self.state.parent)
        self.child = None
        self.cancelled = False
        self.code = 0
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.cancel)

    def cancel(self, number, _frame):
        self.cancelled = True
        if self.child is not None:
            # The process of the step alone, as GitHub's runner does.
            self.child.send_signal(number)

    def shell(self, words, env):
        self.child = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL)
        code = self.child.wait()
        self.child = None
        return 128 - code if code < 0 else code

    def failed(self, code):
        if code != 0 and self.code == 0:
            self.code = code
        return code

    def end(self):
        shutil.rmtree(self.temp)
        sys.exit(CANCELLED if self.cancelled and self.code == 0 else self.code)

    # What hosts keep between jobs.

    def paths(self, patterns):
        for pattern in patterns.split("\n"):
            yield from glob.glob(pattern.strip().rstrip("/")) if pattern.strip() else ()

    def store(self, key, patterns):
        place = self.state / "cache" / key.replace("/", "_")
        if place.exists():
            return  # a stored cache is never changed
        for path in self.paths(patterns):
            copy(path, place / path)

    def take_up(self, keys):
        caches = sorted((self.state / "cache").glob("*"), key=os.path.getmtime)
        for key in keys:
            for cache in reversed(caches):
                if cache.name.startswith(key.strip().replace("/", "_")):
                    shutil.copytree(cache, ".", dirs_exist_ok=True)
                    return cache.name
        return None

    def keep(self, kind, name, path):
        place = self.state / kind / name
        shutil.rmtree(place, ignore_errors=True)
        copy(path, place)


def copy(path, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    if os.path.isdir(path):
        # Sockets are no files to be kept; tar leaves them out, too.
        sockets = lambda dir, names: [name for name in names if pathlib.Path(dir, name).is_socket()]
        shutil.copytree(path, to, ignore=sockets)
    else:
        shutil.copy2(path, to)


class Steps:
    """The steps of one job or of one action: what their expressions see."""

    def __init__(self, host, inputs, github, action=None):
        self.host, self.inputs, self.github, self.action = host, inputs, github, action
        self.outputs = {}
        self.paths = []
        self.failed = False

    def value(self, term):
        term = term.strip()
        if "||" in term:
            one, other = term.split("||")
            return self.value(one) or self.value(other)
        if term.startswith("'") and term.endswith("'"):
            return term[1:-1]
        if term == "runner.temp":
            return self.host.temp
        kind, _, rest = term.partition(".")
        if kind == "inputs":
            if rest not in self.inputs:
                stop(f"no input {rest}")
            return self.inputs[rest]
        if kind == "github" and rest in self.github:
            return self.github[rest]
        if found := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", term):
            return self.outputs.get(found[1], {}).get(found[2], "")
        return stop(f"an expression that is not known: {term}")

    def filled(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self.value(found[1]), str(text))

    def is_due(self, condition):
        condition = str(condition if condition is not None else "success()").strip()
        if found := re.fullmatch(r"\$\{\{(.*)\}\}", condition):
            condition = found[1].strip()
        terms = [term.strip() for term in condition.split("&&")]
        if not any(term in ("always()", "!cancelled()", "success()") for term in terms):
            terms.insert(0, "success()")
        for term in terms:
            if term == "always()":
                due = True
            elif term == "!cancelled()":
                due = not self.host.cancelled
            elif term == "success()":
                due = not self.failed and not self.host.cancelled
            elif "!=" in term:
                one, other = term.split("!=")
                due = self.value(one) != self.value(other)
            else:
                due = self.value(term).lower() not in ("", "false")
            if not due:
                return False
        return True

    def run(self, steps):
        for step in steps:
            if self.is_due(step.get("if")):
                print(f"steps.py: {step.get('name') or step.get('uses') or step.get('id')}", file=sys.stderr, flush=True)
                with_ = {key: self.filled(value) for key, value in (step.get("with") or {}).items()}
                code = self.script(step) if "run" in step else self.use(step, with_)
                self.failed |= self.host.failed(code) != 0

    def script(self, step):
        if step.get("shell", "bash") != "bash":
            stop("another shell")
        if "${{" in step["run"]:
            stop("an expression in a script, which could be anything")
        files = {name: os.path.join(self.host.temp, name) for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            pathlib.Path(path).touch()
        pathlib.Path(files["GITHUB_OUTPUT"]).write_text("")
        script = pathlib.Path(self.host.temp, "step.sh")
        script.write_text(step["run"])
        env = {**os.environ, **files, "GITHUB_ACTIONS": "true", "CI": "true"}
        env |= {key: self.filled(value) for key, value in (step.get("env") or {}).items()}
        added = pathlib.Path(files["GITHUB_PATH"]).read_text().split("\n")
        env["PATH"] = ":".join([*reversed([path for path in added if path]), env["PATH"]])
        code = self.host.shell(["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], env)
        lines = pathlib.Path(files["GITHUB_OUTPUT"]).read_text().splitlines()
        if "id" in step:
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in lines)
        return code

    def use(self, step, with_):
        name, _, version = step["uses"].partition("@")
        if name == "actions/checkout":
            return 0  # it is there
        if name == "actions/cache/restore":
            self.host.take_up([with_["key"], *with_.get("restore-keys", "").split("\n")[:-1]])
        elif name == "actions/cache/save":
            self.host.store(with_["key"], with_["path"])
        elif name == "actions/upload-artifact":
            self.host.keep("artifacts", with_["name"], with_["path"])
        elif name == "actions/upload-pages-artifact":
            self.host.keep("pages", "site", with_["path"])
        elif self.action is not None and not name.startswith("actions/"):
            action = read(self.action)
            inputs = {key: str(about.get("default", "")) for key, about in action["inputs"].items()}
            if unknown := set(with_) - set(inputs):
                stop(f"inputs that the action has not: {unknown}")
            # What a file asks for stands before what the test asks for.
            inputs |= with_
            inputs |= {key: value for key, value in self.inputs.items() if key in ("url", "sha256")}
            inner = Steps(self.host, inputs, {**self.github, "action_repository": name})
            inner.run(action["runs"]["steps"])
            self.outputs[step.get("id")] = {key: inner.filled(about["value"]) for key, about in action["outputs"].items()}
            return self.host.code if inner.failed else 0
        else:
            stop(f"an action that is not known: {step['uses']}")
        return 0


def github(workflow, action, state, *inputs):
    host = Host(state)
    workflow = read(workflow)
    call = (workflow.get("on") or workflow.get(True) or {})
    call = (call.get("workflow_call") or {}) if isinstance(call, dict) else {}
    given = {key: str(about.get("default", "")) for key, about in call.get("inputs", {}).items()}
    given |= dict(pair.split("=", 1) for pair in inputs)
    number = len(list((host.state / "cache").glob("*")))
    context = {"run_id": str(1000 + number), "run_attempt": "1", "ref": "refs/heads/main"}
    jobs = [job for name, job in workflow["jobs"].items() if name != "publish"]
    for job in jobs:
        Steps(host, given, context, action).run(job["steps"])
    host.end()


if __name__ == "__main__":
    github(*sys.argv[1:])
