"""Decimal values against rounding done here with exact fractions, from the
definitions of the formats: FILE DRIVER [SEED].

A format is signed or not, has exponent bits, mantissa bits and a bias, and its
largest codes mean something; decode() says what each code is worth. A number
must become the code that is worth the nearest value, of two the even one."""

import bisect
import fractions
import itertools
import random
import subprocess
import sys

Fraction = fractions.Fraction


class Format:
    """codes: how many codes of a magnitude are finite numbers."""

    def __init__(self, exponent, mantissa, bias, codes, *, sign=True,
                 zero=True, minus_zero=True):
        self.mantissa = mantissa
        self.exponent = exponent
        self.bias = bias
        self.codes = codes
        self.sign = sign
        self.zero = zero
        self.minus_zero = minus_zero
        self.bits = exponent + mantissa + (1 if sign else 0)

    def decode(self, code):
        field, fraction = divmod(code, 1 << self.mantissa)
        power = Fraction(2) ** -self.mantissa
        if field == 0 and self.zero:
            return Fraction(2) ** (1 - self.bias) * fraction * power
        return Fraction(2) ** (field - self.bias) * (1 + fraction * power)

    def round(self, value):
        """The nearest magnitude's code; None when out of range."""
        below = bisect.bisect_right(
            range(self.codes), value, key=self.decode) - 1
        if below < 0:
            # Below the smallest number of a format without zero; the next
            # lower one would be half of it.
            smallest = self.decode(0)
            return 0 if value >= smallest * Fraction(3, 4) else None
        low, high = self.decode(below), self.decode(below + 1)
        middle = (low + high) / 2
        if value == middle:
            # One digit only: both are odd, the larger one is taken.
            is_up = below % 2 == 1 or self.mantissa == 0
        else:
            is_up = value > middle
        code = below + 1 if is_up else below
        return code if code < self.codes else None


# The last exponent field of IEEE formats is no number; of fn formats the last
# code is none; fnuz formats and those below 8 bits have numbers only.
FORMATS = {
    "float16": Format(5, 10, 15, 31 << 10),
    "bfloat16": Format(8, 7, 127, 255 << 7),
    "float": Format(8, 23, 127, 255 << 23),
    "double": Format(11, 52, 1023, 2047 << 52),
    "float8e4m3fn": Format(4, 3, 7, 127),
    "float8e4m3fnuz": Format(4, 3, 8, 128, minus_zero=False),
    "float8e5m2": Format(5, 2, 15, 31 << 2),
    "float8e5m2fnuz": Format(5, 2, 16, 128, minus_zero=False),
    "float8e8m0": Format(8, 0, 127, 255, sign=False, zero=False),
    "float6e2m3": Format(2, 3, 1, 32),
    "float6e3m2": Format(3, 2, 3, 32),
    "float4e2m1": Format(2, 1, 1, 8),
}

# Far below half an ulp of a double, so that rounding twice would show.
TINY = Fraction(1, 10 ** 30)


def decimal(value):
    """The exact decimal of a fraction whose denominator is 2^a 5^b."""
    digits = 0
    while value.denominator > 1:
        value *= 10
        digits += 1
    return f"{value.numerator}e-{digits}"


def magnitudes(form, chance):
    """Numbers at, between, and next to the middle of codes."""
    if form.codes <= 256:
        codes = range(form.codes)
    else:
        codes = sorted({0, 1, 2, form.codes - 2, form.codes - 1,
                        *(chance.randrange(form.codes) for _ in range(80)),
                        *((1 << form.mantissa) + i for i in (-2, -1, 0, 1))})
    for code in codes:
        low, high = form.decode(code), form.decode(code + 1)
        middle = (low + high) / 2
        near = middle * TINY
        yield from (low, middle, middle - near, middle + near, low + near)
    if not form.zero:
        edge = form.decode(0) * Fraction(3, 4)
        yield from (edge, edge - edge * TINY, Fraction(0))
    for _ in range(100):
        yield Fraction(f"{chance.random():.17f}e{chance.randrange(-12, 12)}")
    yield from (Fraction(10) ** 400, Fraction(10) ** -400)


def expected(form, value, is_negative):
    if not form.zero and (is_negative or value == 0):
        return None
    code = form.round(value)
    if code is None:
        return None
    has_sign = is_negative and form.sign and (code > 0 or form.minus_zero)
    return code | (1 << (form.bits - 1) if has_sign else 0)


def main():
    driver = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print(f"seed {seed}")
    chance = random.Random(seed)
    cases = []
    for name, form in FORMATS.items():
        for value, sign in itertools.product(
                magnitudes(form, chance), ("", "-")):
            code = expected(form, value, sign == "-")
            size = (form.bits + 7) // 8
            answer = ("1 " if code is None
                      else f"0 {code.to_bytes(size, 'little').hex()}")
            cases.append((f"{name} {sign}{decimal(value)}", answer))
    done = subprocess.run([driver], input="".join(f"{c}\n" for c, _ in cases),
                          capture_output=True, text=True, check=True)
    answers = done.stdout.split("\n")[:-1]
    assert len(answers) == len(cases), (len(answers), len(cases))
    wrong = [(case, answer, right)
             for (case, right), answer in zip(cases, answers)
             if answer != right]
    for case, answer, right in wrong[:20]:
        print(f"{case}: {answer!r}; expected {right!r}")
    print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
