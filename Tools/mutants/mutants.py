#!/usr/bin/env python3
"""Plants the faults of faults.toml, and shows which tests find them.

    Tools/mutants/mutants.py plant FOLDER
    Tools/mutants/mutants.py run FOLDER [--only WORDS]... [--limit SECONDS]

`plant` copies the checkout to FOLDER with all faults, each behind a number that is read when the program runs, so that
one build has them all. It fails if the text of one is not found exactly once: the fault has to follow the sources.

`run` turns on one after the other, and runs the model (Tests/ModelTests) and the suites that need no printer until a
test fails, or for --limit seconds. Of faults that name a slower suite, that is run if these find nothing. The
table has a line for each: what found it, in how many seconds, and the first test that failed. The exit status is 1 if
nothing found one, or if tests fail without a fault.
"""

import argparse
import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODEL = ["ModelTests"]
# These need neither a daemon nor the built program, and take seconds.
SUITES = ["SubmissionTests", "JobsTests", "SystemTests", "PrintModelTests"]
NUMBER = "fault.number"
SWITCH = """\
internal import Glibc

/// The number of the fault that is on.
let plantedFault: Int = {
  let file = open("%s", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var digits = [UInt8](repeating: 0, count: 8)
  let count = max(0, read(file, &digits, digits.count))
  return Int(String(decoding: digits[..<count], as: UTF8.self)) ?? 0
}()
"""


def faults():
    with open(os.path.join(ROOT, "Tools/mutants/faults.toml"), "rb") as file:
        return tomllib.load(file)["fault"]


def planted(folder):
    """The changed sources by path, and what did not fit."""
    texts, problems, modules = {}, [], set()
    for number, fault in enumerate(faults(), 1):
        for edit in fault["edit"]:
            path, old = edit["file"], edit["old"]
            with open(os.path.join(ROOT, path)) as file:
                source = file.read()
            count = source.count(old), texts.setdefault(path, source).count(old)
            if count != (1, 1):
                problems.append(f"{fault['name']}: {path} has its text {' and '.join(map(str, count))} times:\n{old}")
                continue
            new = edit["new"].replace("FAULT", f"(plantedFault == {number})")
            texts[path] = texts[path].replace(old, new)
            modules.add(os.path.dirname(path))
    switch = SWITCH % os.path.join(folder, NUMBER)
    with open(os.path.join(ROOT, "Package.swift")) as file:
        manifest = file.read()
    # Warnings are about the switches, and no other test is run.
    kept = ", ".join(f'"{name}"' for name in MODEL + SUITES + ["IPPTests", "EndToEndTests"])
    texts["Package.swift"] = (
        manifest.replace("  .treatAllWarnings(as: .error),\n", "")
        + f"package.targets.removeAll {{ $0.type == .test && ![{kept}].contains($0.name) }}\n")
    return texts | {f"{module}/PlantedFault.swift": switch for module in modules}, problems


def plant(folder):
    texts, problems = planted(folder)
    if problems:
        sys.exit("\n".join(problems))
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.split("\0")
    paths = {path for path in listed if os.path.isfile(os.path.join(ROOT, path))}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".build"]
        for name in names:
            path = os.path.join(place, name)
            if os.path.relpath(path, folder) not in paths | texts.keys():
                os.unlink(path)
    # What has not changed keeps its time, so that the next build is short.
    for path in sorted(paths | texts.keys()):
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if path in texts:
            if not os.path.exists(target) or open(target).read() != texts[path]:
                with open(target, "w") as file:
                    file.write(texts[path])
        elif not os.path.exists(target) or not filecmp.cmp(os.path.join(ROOT, path), target, shallow=False):
            shutil.copy2(os.path.join(ROOT, path), target)
    # Packages are not downloaded again.
    for name in ["Package.resolved", ".build/checkouts", ".build/repositories", ".build/workspace-state.json"]:
        source, target = os.path.join(ROOT, name), os.path.join(folder, name)
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        elif os.path.exists(source) and not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)


class Found:
    """The first failure of a run of tests; `test` is None if all passed."""

    def __init__(self, folder, number, suites, limit):
        with open(os.path.join(folder, NUMBER), "w") as file:
            file.write(str(number))
        self.test = None
        self.count = 0
        begun = time.monotonic()
        bundle = os.path.join(folder, ".build/debug/airprintPackageTests.xctest")
        with tempfile.TemporaryDirectory() as temporary:
            process = subprocess.Popen(
                [bundle, "--testing-library", "swift-testing", "--filter", f"^({'|'.join(suites)})"], cwd=folder,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                env=os.environ | {"TMPDIR": temporary, "SWIFT_BACKTRACE": "enable=no"})
            timer = threading.Timer(limit, self.end, [process])
            timer.start()
            for line in process.stdout:
                if re.search(r"Test (?!run).* passed after", line):
                    self.count += 1
                failed = re.search(r"Test (.*?) recorded an issue", line)
                if failed and not self.test:
                    self.test = failed[1].strip('"').split('" with ')[0]
                    self.end(process)
            is_over = process.wait() == 0 or self.test
            timer.cancel()
        self.seconds = time.monotonic() - begun
        # EX_UNAVAILABLE: the filter matches none.
        if process.returncode == 69 and not self.test:
            sys.exit(f"No test is one of {', '.join(suites)}.")
        if not is_over:
            self.test = "never ends" if self.seconds >= limit else f"ends with {process.returncode}"

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def run(folder, only, limit):
    for suites in [MODEL, SUITES]:
        sound = Found(folder, 0, suites, limit)
        if sound.test or not sound.count:
            sys.exit(f"Without a fault, {', '.join(suites)} fails: {sound.test or 'no test was run'}")
        print(f"Without a fault: {sound.count} tests of {', '.join(suites)} in {sound.seconds:.0f} s", flush=True)
    print(f"{'':2} {'model':>7} {'suite':>7}  fault", flush=True)
    holes = 0
    for number, fault in enumerate(faults(), 1):
        if only and not any(words in fault["name"] for words in only):
            continue
        model, suite = Found(folder, number, MODEL, limit), Found(folder, number, SUITES, limit)
        if not model.test and not suite.test and "tests" in fault:
            suite = Found(folder, number, [fault["tests"]], 4 * limit)
        holes += not model.test and not suite.test
        seconds = [f"{found.seconds:.1f} s" if found.test else "-" for found in [model, suite]]
        words = f"found by: {suite.test}" if suite.test else "" if model.test else "NOTHING FINDS IT"
        print(f"{number:2} {seconds[0]:>7} {seconds[1]:>7}  {fault['name']}\n{'':20}{words}".rstrip(), flush=True)
    os.unlink(os.path.join(folder, NUMBER))
    print(f"{holes} of them are found by nothing.")
    return holes > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["plant", "run"])
    parser.add_argument("folder")
    parser.add_argument("--only", action="append", default=[], metavar="WORDS", help="faults whose name has these words")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="(60)")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    if options.step == "plant":
        return plant(folder)
    return run(folder, options.only, options.limit)


if __name__ == "__main__":
    sys.exit(main())
