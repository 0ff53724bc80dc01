"""What the program tells of itself in several places: --help, the man page and
the completions of shells name the same subcommands, options and arguments, and
each example does what it says: FILE PROGRAM."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MANUAL = ROOT / "host/cli/clconst.1"
COMPLETION = ROOT / "host/cli/completion"

# What every subcommand takes; the man page says it once.
COMMON = {"--json": None, "--help": None}


def run(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True,
                          timeout=120, **options)


def section(text, title):
    """The lines below "TITLE:" up to an empty one."""
    lines = text.splitlines()
    begin = lines.index(title + ":") + 1
    end = lines.index("", begin) if "" in lines[begin:] else len(lines)
    return lines[begin:end]


def help_subcommands():
    return [line.split()[0]
            for line in section(run("--help").stdout, "Subcommands")]


def help_options(*subcommand):
    """Long names with their arguments, and the letters of long names."""
    options, letters = {}, {}
    for line in section(run(*subcommand, "--help").stdout, "Options"):
        letter, name, argument = re.match(
            r"  (?:-(.), |    )(--[a-z-]+)(?: ([A-Z][A-Z=,.]*))?  *\S",
            line).groups()
        options[name] = argument
        if letter:
            letters["-" + letter] = name
    return options, letters


def flags(words):
    """The options of an mdoc line: [names, argument], the names as typed."""
    names, argument = [], None
    words = [word for word in words.split() if word != ","]
    while words:
        word = words.pop(0)
        if word == "Fl":
            names.append("-" + words.pop(0))
        elif word == "Ar" and words:
            argument = words.pop(0)
        elif word.startswith("-"):
            names.append("-" + word)
    return names, argument


def manual_subcommands():
    """Each subcommand of the man page with its options, as typed."""
    found, name = {}, None
    for line in MANUAL.read_text().splitlines():
        if line.startswith(".Ss "):
            name = line[4:]
            found[name] = {}
        elif line.startswith(".Sh "):
            name = None
        elif name and re.match(r"\.Op Fl \S+( Ar \S+)?$|\.Fl \S+ Ar \S+$",
                               line):
            [typed], argument = flags(line.replace(".Op ", "").lstrip("."))
            found[name][typed] = argument
    return found


def manual_options():
    """Long names in the man page's list, with their arguments; letters."""
    options, letters = {}, {}
    text = MANUAL.read_text()
    text = text[text.index(".Sh OPTIONS"):text.index(".Sh ENVIRONMENT")]
    for line in re.findall(r"^\.It (.*)", text, re.M):
        names, argument = flags(line)
        options[names[-1]] = argument
        if len(names) > 1:
            letters[names[0]] = names[1]
    return options, letters


class Manual(unittest.TestCase):
    def setUp(self):
        self.subcommands = help_subcommands()

    def is_whole(self):
        return "list" in self.subcommands

    def test_mandoc_has_no_remark(self):
        if not shutil.which("mandoc"):
            self.skipTest("there is no mandoc")
        done = subprocess.run(["mandoc", "-Tlint", "-Wall", MANUAL],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_subcommands_are_those_of_help(self):
        manual = list(manual_subcommands())
        if self.is_whole():
            self.assertEqual(manual, self.subcommands)
        else:
            self.assertLessEqual(set(self.subcommands), set(manual))

    def test_options_of_each_subcommand_are_those_of_help(self):
        manual = manual_subcommands()
        _, letters = manual_options()
        for subcommand in self.subcommands:
            with self.subTest(subcommand=subcommand):
                options, _ = help_options(subcommand)
                typed = {letters.get(name, name): argument
                         for name, argument in manual[subcommand].items()}
                self.assertEqual({**typed, **COMMON}, options)

    def test_list_of_options_is_that_of_help(self):
        options, letters = help_options()
        for subcommand in self.subcommands:
            more, more_letters = help_options(subcommand)
            options.update(more)
            letters.update(more_letters)
        manual, manual_letters = manual_options()
        if self.is_whole():
            self.assertEqual(manual, options)
            self.assertEqual(manual_letters, letters)
        else:
            self.assertLessEqual(set(options), set(manual))

    def test_exit_statuses_are_those_of_the_program(self):
        outcomes = (ROOT / "host/cli/outcome.h").read_text()
        statuses = re.findall(r"^    CLI_\w+ = (\d+),", outcomes, re.M)
        self.assertGreater(len(statuses), 1)
        manual = MANUAL.read_text()
        manual = manual[manual.index(".Sh EXIT STATUS"):
                        manual.index(".Sh EXAMPLES")]
        self.assertEqual(re.findall(r"^\.It (\d+)$", manual, re.M), statuses)
        [told] = re.findall(r"The exit status is (.*?)\.\s",
                            (ROOT / "README.md").read_text(), re.S)
        self.assertEqual(re.findall(r"\b\d+\b", told), statuses)

    def test_usage_names_what_has_an_argument(self):
        for subcommand in self.subcommands:
            first = run(subcommand, "--help").stdout.splitlines()[0]
            self.assertRegex(first, rf"^Usage: clconst {subcommand}\b")


class Help(unittest.TestCase):
    def test_dtypes_are_those_of_the_header(self):
        header = (ROOT / "include/clconst/clconst.h").read_text()
        names = set(re.findall(r'^    X\([A-Z0-9]+, \d+, \d+, "(\w+)"\)', header,
                               re.M))
        text = run("fill", "--help").stdout
        listed = text[text.index("Dtypes:") + 7:].split("\n\n")[0].split()
        self.assertEqual(sorted(names - {"string"}), sorted(listed))

    def test_each_example_is_done(self):
        with tempfile.TemporaryDirectory() as folder:
            if "list" in help_subcommands():
                subprocess.run(
                    [sys.executable, "-B", HERE / "models.py", folder],
                    check=True, stdout=subprocess.DEVNULL)
                source = pathlib.Path(folder, "mixed.onnx")
                source.rename(pathlib.Path(folder, "model.onnx"))
                shutil.move(pathlib.Path(folder, "tests/passing"),
                            pathlib.Path(folder, "kept"))
                shutil.rmtree(pathlib.Path(folder, "tests"))
                shutil.move(pathlib.Path(folder, "kept"),
                            pathlib.Path(folder, "tests"))
            for subcommand in help_subcommands():
                words = section(run(subcommand, "--help").stdout,
                                "Example")[0].split()
                self.assertEqual(words[:2], ["clconst", subcommand])
                # These two take minutes, or a device.
                if subcommand not in ("bench", "check"):
                    with self.subTest(subcommand=subcommand):
                        done = run(*words[1:], cwd=folder)
                        # Without a device, notes tell of the CPU engine.
                        faults = [line for line in done.stderr.splitlines()
                                  if not line.startswith("clconst: note: ")]
                        self.assertEqual((done.returncode, faults), (0, []))


def bash_completes(*words):
    """The candidates for the last word."""
    script = (f'source "{COMPLETION}/clconst.bash"; COMP_WORDS=("$@"); '
              'COMP_CWORD=$(($# - 1)); _clconst; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-uc", script, "bash", PROGRAM, *words],
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.split()


def zsh_completes(*words):
    # The completion system's functions write what they are given.
    script = ('_describe() { print -l -- ${(P)2%%:*} }; '
              '_files() { print -l -- *(N) }; words=("$@"); CURRENT=$#; '
              f'source {COMPLETION}/_clconst')
    done = subprocess.run(["zsh", "-fc", script, "zsh", PROGRAM, *words],
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return [word for word in done.stdout.split()
            if word.startswith(words[-1])]


class Completion(unittest.TestCase):
    def check(self, complete):
        subcommands = help_subcommands()
        self.assertEqual(complete(""), subcommands)
        self.assertEqual(complete("de"), ["devices"])
        self.assertEqual(complete("--v"), ["--version"])
        for subcommand in subcommands:
            with self.subTest(subcommand=subcommand):
                options, _ = help_options(subcommand)
                self.assertEqual(complete(subcommand, "-"), list(options))
        self.assertEqual(complete("fill", "--dtype", "float16"), ["float16"])
        self.assertEqual(complete("fill", "--dtype", "uint"),
                         ["uint16", "uint2", "uint32", "uint4", "uint64",
                          "uint8"])
        self.assertEqual(complete("fill", "--device", "o"), ["opencl"])
        self.assertEqual(complete("fill", "--shape", "2"), [])
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "model.onnx").touch()
            before = os.getcwd()
            os.chdir(folder)
            try:
                self.assertEqual(complete("list", "mod"), ["model.onnx"])
                self.assertEqual(complete("load", "m.onnx", "-o", "m"),
                                 ["model.onnx"])
            finally:
                os.chdir(before)

    def test_bash(self):
        self.check(bash_completes)

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("there is no zsh")
        self.check(zsh_completes)


def on_terminal(words, **variables):
    """What the program writes to a terminal that it has for all output."""
    environment = {key: text for key, text in os.environ.items()
                   if key != "NO_COLOR"}
    environment.update({"TERM": "xterm", **variables})
    main, other = pty.openpty()
    with subprocess.Popen([PROGRAM, *words], stdout=other, stderr=other,
                          env=environment) as process:
        os.close(other)
        text = b""
        try:
            while piece := os.read(main, 4096):
                text += piece
        except OSError:
            pass  # the other end is closed
        process.wait(60)
    os.close(main)
    return text.decode()


class Emphasis(unittest.TestCase):
    FILL = ["fill", "--device", "cpu", "--dtype", "uint8", "--shape", "1"]
    WRONG = ["frob"]

    def test_terminals_get_some(self):
        self.assertIn("\033[1;31mclconst:\033[m subcommand frob",
                      on_terminal(self.WRONG))
        self.assertIn("\033[1mdtype\033[m", on_terminal(self.FILL))

    def test_others_get_none(self):
        for words in (self.FILL, self.WRONG):
            for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                with self.subTest(words=words, variables=variables):
                    self.assertNotIn("\033", on_terminal(words, **variables))
            done = run(*words)
            self.assertNotIn("\033", done.stdout + done.stderr)

    def test_empty_no_color_asks_for_nothing(self):
        self.assertIn("\033", on_terminal(self.WRONG, NO_COLOR=""))


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
