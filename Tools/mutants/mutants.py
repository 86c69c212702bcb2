#!/usr/bin/env python3
"""Plants the faults of faults.toml, and shows which tests find them.

    Tools/mutants/mutants.py check
    Tools/mutants/mutants.py plant FOLDER [--random COUNT] [--seed SEED]
    Tools/mutants/mutants.py run FOLDER [--only WORDS]... [--limit SECONDS]

`check` tells of faults whose text the sources no longer have: `make lint` runs it. `plant` copies the checkout to FOLDER with all faults, each behind a number that is read when the program runs, so that
one build has them all. It fails if the text of one is not found exactly once: the fault has to follow the sources.
With --random, there are as many small mutations of the modules in COVERED besides, and the copy is built: an operator,
a constant, a condition, a statement left out. The same seed makes the same ones of the same sources.

`run` turns on one after the other, and runs the model (Tests/ModelTests) and the suites that need no printer until a
test fails, or for --limit seconds. Of faults that name a slower suite, that is run if these find nothing. The
table has a line for each: what found it, in how many seconds, and the first test that failed. The exit status is 1 if
nothing found one, or if tests fail without a fault.
"""

import argparse
import filecmp
import itertools
import json
import os
import random
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
# What covers a module whose code is mutated at random; the daemons' suites are left out.
COVERED = {
    "Layout": ["LayoutTests", "NegotiationTests", "RenderingTests", "PrintingTests"],
    "Raster": ["RasterTests", "RenderingTests"],
    "Capability": ["CapabilityTests", "NegotiationTests", "FuzzTests"],
    "Negotiation": ["NegotiationTests", "PrintingTests"],
    "Submission": SUITES,
}
SKIPPED = "LadderTests|ServedTests"
NUMBER = "fault.number"
LIST = "faults.json"
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


# A line of code, with its strings blanked, as what may become of it: a pattern, and a function that returns the new
# text of its first group and, if it needs one, the declaration of an operator or function `#`.
def infix(precedence, constraint, result, old, new, rest="_ b: T"):
    constraint = f"<T: {constraint}>" if constraint else ""
    left = "_ a: T" if constraint else f"_ a: {result}"
    throws = " rethrows" if "throws" in rest else ""
    right = "b()" if throws else "b"
    return "#", (
        f"infix operator #: {precedence}\nfunc # {constraint}({left}, {rest}){throws} -> {result} "
        f"{{ FAULT ? {'try ' if throws else ''}a {new} {right} : {'try ' if throws else ''}a {old} {right} }}")


COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COUNTED = {"+": ("-", "AdditiveArithmetic"), "-": ("+", "AdditiveArithmetic"), "*": ("+", "Numeric")}
CLAUSE = (
    r"(?:^ *(?:\} else )?(?:if|guard|while) |, |^ +)(?! |let |var |case |try |await |if |guard |while |return |\})"
    r"([^,{}]*[\w)\]?!])(?=,| else \{| \{$)")
RULES = [
    (r"(?<![\w.$#])(\d[\d_]*)(?![\w:]|\.\d)", lambda it: (f"(FAULT ? {int(it) + 1} : {it})", "")),
    (r"(?<![\w.$])(\d+\.\d+)(?![\w.])", lambda it: (f"(FAULT ? {float(it) * 2 + 0.25} : {it})", "")),
    (r"\b(true|false)\b", lambda it: (f"({it} != FAULT)", "")),
    (r" ([<>]=?) ", lambda it: infix("ComparisonPrecedence", "Comparable", "Bool", it, COMPARED[it])),
    (r" ([=!]=) ", lambda it: infix("ComparisonPrecedence", "Equatable", "Bool", it, "!=" if it == "==" else "==")),
    (r" (&&) ", lambda it: infix(
        "LogicalConjunctionPrecedence", "", "Bool", it, "||", "_ b: @autoclosure () throws -> Bool")),
    (r" (\|\|) ", lambda it: infix(
        "LogicalDisjunctionPrecedence", "", "Bool", it, "&&", "_ b: @autoclosure () throws -> Bool")),
    (r" ([-+*]) ", lambda it: infix(
        "MultiplicationPrecedence" if it == "*" else "AdditionPrecedence", COUNTED[it][1], "T", it, COUNTED[it][0])),
    (r"(?<![\w.])(min|max)\(", lambda it: ("#", (
        "func #<T: Comparable>(_ a: T, _ b: T) -> T "
        f"{{ FAULT ? {'max' if it == 'min' else 'min'}(a, b) : {it}(a, b) }}"))),
    (r"(?:= |return |[(:] )([\w.!]+(?: [<>=!]=? [\w.]+)?) \? ", lambda it: (f"(FAULT != ({it}))", "")),
    # Clauses of conditions, always true or always false.
    (CLAUSE, lambda it: (f"(FAULT || ({it}))", "")),
    (CLAUSE, lambda it: (f"(!FAULT && ({it}))", "")),
    # Statements.
    (r"^ +(?!let |var |case |return |throw |self\.init|super|default|import |if |guard |for |while |try\? )"
     r"((?:try |await )*[a-zA-Z_][\w.]*(?:\[[^]]*\])?[!?]?(?:\([^{]*\)| [-+*|&]?= [^{]*[\w)\]]))$",
     lambda it: (f"if !FAULT {{ {it} }}", "")),
]
SYMBOLS = [chr(code) for code in itertools.chain(range(0x2190, 0x2300), range(0x2500, 0x2776)) if chr(code).isprintable()]


def mutations(module):
    """All mutations of a module: (path, index of the line, start, end, rule)."""
    found = []
    for path in sorted(os.listdir(os.path.join(ROOT, "Sources", module))):
        path = f"Sources/{module}/{path}"
        if not path.endswith(".swift"):
            continue
        with open(os.path.join(ROOT, path)) as file:
            lines = file.read().split("\n")
        for index, line in enumerate(lines):
            code = re.sub(r'"(?:\\.|[^"\\])*"', lambda it: '"' + "_" * (len(it[0]) - 2) + '"', line)
            if re.search(r"//|\bfunc |\binit[?<(]|^import|^ *case |@|\b(struct|enum|extension|class) |^#|->", code):
                continue
            for rule, (pattern, change) in enumerate(RULES):
                if pattern is CLAUSE and not re.search(r"^ *(\} else )?(if|guard|while) | else \{", code):
                    continue
                # A whole statement only: not a line of one.
                if rule == len(RULES) - 1:
                    around = [lines[index - 1].rstrip(), lines[index + 1].lstrip() if index + 1 < len(lines) else ""]
                    if not re.search(r"(^|[;})\]\w\"{])$", around[0]) or re.match(r"[.?&|+\-:=]", around[1]):
                        continue
                for it in re.finditer(pattern, code):
                    old = line[it.start(1):it.end(1)]
                    if all(old.count(a) == old.count(b) for a, b in ["()", "[]"]):
                        found.append((path, index, it.start(1), it.end(1), rule))
    return found


def mutants(count, seed, dropped):
    """Mutations at random, as many of each module and at most one of a line."""
    dice, chosen = random.Random(seed), []
    for module in COVERED:
        found, taken, symbols = mutations(module), set(), []
        dice.shuffle(found)
        # Each kind as often as another: most mutations are of constants and conditions.
        kinds = {}
        for it in found:
            kinds.setdefault(it[4], []).append(it)
        mixed = [it for round in itertools.zip_longest(*kinds.values()) for it in round if it]
        for path, index, start, end, rule in mixed:
            if len(taken) == count // len(COVERED):
                break
            if (path, index) in taken or (path, index + 1) in dropped:
                continue
            taken.add((path, index))
            chosen.append((module, path, index, start, end, rule))
    return chosen


def check(listed):
    """Ends the program if a fault does not follow the sources."""
    problems = []
    for fault in listed:
        for path, old in [(edit["file"], edit["old"]) for edit in fault["edit"]]:
            isThere = os.path.exists(os.path.join(ROOT, path))
            count = open(os.path.join(ROOT, path)).read().count(old) if isThere else 0
            if count != 1:
                problems.append(f"Tools/mutants/faults.toml: {fault['name']}: {path} has its text {count} times:\n{old}")
    if problems:
        sys.exit("\n".join(problems))


def plant(folder, count=0, seed=1):
    """Plants the faults of faults.toml, and as many mutations; those that do not build make room for others."""
    listed, changes = faults(), {}
    check(listed)
    for number, fault in enumerate(listed, 1):
        for edit in fault["edit"]:
            changes.setdefault(edit["file"], []).append((edit["old"], edit["new"], number))
    dropped = set()
    for path, edits in changes.items():
        with open(os.path.join(ROOT, path)) as file:
            source = file.read()
        for old, *_ in edits:
            first = source.count("\n", 0, max(0, source.find(old))) + 1
            dropped |= {(path, line) for line in range(first, first + old.count("\n") + 1)}
    while True:
        chosen, texts, declared = mutants(count, seed, dropped), {}, {}
        for path in {it[1] for it in chosen} | changes.keys():
            with open(os.path.join(ROOT, path)) as file:
                texts[path] = file.read().split("\n")
        names = [
            {"name": fault["name"], "suites": [MODEL, SUITES] + ([[fault["tests"]]] if "tests" in fault else [])}
            for fault in listed]
        for number, (module, path, index, start, end, rule) in enumerate(chosen, len(listed) + 1):
            line = texts[path][index]
            new, declaration = RULES[rule][1](line[start:end])
            symbol = f"mutated{number}" if declaration.startswith("func") else SYMBOLS[number]
            switch = f"(plantedFault == {number})"
            texts[path][index] = line[:start] + new.replace("#", symbol).replace("FAULT", switch) + line[end:]
            declared.setdefault(f"Sources/{module}", []).append(
                declaration.replace("#", symbol).replace("FAULT", switch))
            what = declaration and re.search(r"FAULT \? (.*) :", declaration.replace("try ", "").replace("()", ""))[1]
            slow = [MODEL] if module == "Submission" else []
            names.append({
                "name": f"{path}:{index + 1}: {line[start:end]} -> {what or new}",
                "suites": [[], COVERED[module]] + slow})
        sources = {path: "\n".join(lines) for path, lines in texts.items()}
        for path, edits in changes.items():
            for old, new, number in edits:
                sources[path] = sources[path].replace(old, new.replace("FAULT", f"(plantedFault == {number})"))
            declared.setdefault(os.path.dirname(path), [])
        switch = SWITCH % os.path.join(folder, NUMBER)
        for module in declared:
            sources[f"{module}/PlantedFault.swift"] = switch + "\n".join(declared[module]) + "\n"
        copy(folder, sources, names)
        if not count:
            return
        built = subprocess.run(
            ["make", "--no-print-directory", "-C", folder, "build-tests"], capture_output=True, text=True)
        if built.returncode == 0:
            return
        # An error may be at another line of the statement.
        places, wrong = {(it[1], it[2] + 1) for it in chosen}, set()
        for path, line in re.findall(r"^(/.*?):(\d+):\d+: error:", built.stdout + built.stderr, re.MULTILINE):
            near = [it for it in places if it[0] == os.path.relpath(path, folder) and abs(it[1] - int(line)) < 10]
            wrong |= {min(near, key=lambda it: abs(it[1] - int(line)))} if near else set()
        print(f"{len(wrong)} of {len(chosen)} do not build", flush=True)
        if not wrong:
            sys.exit(built.stdout[-3000:] + built.stderr[-3000:])
        dropped |= wrong


def copy(folder, texts, listed):
    """Copies the checkout with the changed sources, and writes the list of the faults in them."""
    with open(os.path.join(ROOT, "Package.swift")) as file:
        manifest = file.read()
    # Warnings are about the switches, and no other test is run.
    names = sorted(set(MODEL + SUITES + sum(COVERED.values(), []) + ["IPPTests", "EndToEndTests"]))
    kept = ", ".join(f'"{name}"' for name in names)
    texts["Package.swift"] = (
        manifest.replace("  .treatAllWarnings(as: .error),\n", "")
        + f"package.targets.removeAll {{ $0.type == .test && ![{kept}].contains($0.name) }}\n")
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.split("\0")
    paths = {path for path in files if os.path.isfile(os.path.join(ROOT, path))}
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
    with open(os.path.join(folder, LIST), "w") as file:
        json.dump(listed, file)


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
                [bundle, "--testing-library", "swift-testing", "--filter", f"^({'|'.join(suites)})", "--skip", SKIPPED],
                cwd=folder,
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
    with open(os.path.join(folder, LIST)) as file:
        listed = json.load(file)
    chosen = [
        (number, fault) for number, fault in enumerate(listed, 1)
        if not only or any(words in fault["name"] for words in only)]
    limits = {}
    for suites in [suites for _, fault in chosen for suites in fault["suites"][:2] if suites]:
        if tuple(suites) not in limits:
            sound = Found(folder, 0, suites, 5 * limit)
            if sound.test or not sound.count:
                sys.exit(f"Without a fault, {', '.join(suites)} fails: {sound.test or 'no test was run'}")
            limits[tuple(suites)] = max(limit, 4 * sound.seconds)
            print(f"Without a fault: {sound.count} tests of {', '.join(suites)} in {sound.seconds:.0f} s", flush=True)
    print(f"{'':3} {'model':>7} {'suite':>7}  fault", flush=True)
    holes = 0
    for number, fault in chosen:
        model, suite, *slow = fault["suites"]
        model, suite = [
            Found(folder, number, suites, limits[tuple(suites)]) if suites else None for suites in [model, suite]]
        if slow and not (model and model.test) and not suite.test:
            suite = Found(folder, number, slow[0], 4 * limit)
        seconds = [f"{found.seconds:.1f} s" if found and found.test else "-" for found in [model, suite]]
        isFound = bool(model and model.test or suite.test)
        holes += not isFound
        words = f"found by: {suite.test}" if suite.test else "" if isFound else "NOTHING FINDS IT"
        print(f"{number:3} {seconds[0]:>7} {seconds[1]:>7}  {fault['name']}\n{'':21}{words}".rstrip(), flush=True)
    os.unlink(os.path.join(folder, NUMBER))
    print(f"{holes} of {len(chosen)} are found by nothing.")
    return holes > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["check", "plant", "run"])
    parser.add_argument("folder", nargs="?", default=".build/mutants")
    parser.add_argument("--only", action="append", default=[], metavar="WORDS", help="faults whose name has these words")
    parser.add_argument("--random", type=int, default=0, metavar="COUNT", help="and as many mutations at random (0)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="(60)")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    if options.step == "check":
        return check(faults())
    if options.step == "plant":
        return plant(folder, options.random, options.seed)
    return run(folder, options.only, options.limit)


if __name__ == "__main__":
    sys.exit(main())
