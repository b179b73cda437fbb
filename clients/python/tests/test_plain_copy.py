"""What is JSON, and what is said of what is none."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import unittest
from typing import Any

from toolpost.plain_copy import NoJsonError, plain_copy
from toolpost.wire import decode_json, encode_json, json_bytes


@dataclasses.dataclass
class Passage:
    text: str


class Colour(str, enum.Enum):
    RED = "red"


Point = collections.namedtuple("Point", "x y")


class PlainCopyTest(unittest.TestCase):
    def test_what_is_json_arrives_exactly(self) -> None:
        cases: list[Any] = [
            None, True, 0, -1, 2**53 + 1, 10**400, -(10**4_000), 0.1, -0.0, 1e16, 2.0**70, 5e-324,
            "", "\u0000\u2028é😀", [], {}, {"": None}, {"__proto__": [1]}, [[None], {"a": {"b": "c"}}],
        ]
        for value in cases:
            copy = plain_copy(value)
            self.assertEqual((copy, type(copy)), (value, type(value)))
            back = decode_json(json_bytes(copy))
            self.assertEqual((repr(back), type(back)), (repr(value), type(value)))

    def test_what_python_writes_as_json_becomes_plain(self) -> None:
        given = (1, Colour.RED, collections.OrderedDict(a=(2,)), collections.Counter("a"))
        copy = plain_copy(given)
        self.assertEqual(copy, [1, "red", {"a": [2]}, {"a": 1}])
        self.assertEqual([type(part) for part in copy], [int, str, dict, dict])
        self.assertIs(type(plain_copy({Colour.RED: 1}).popitem()[0]), str)

    def test_a_copy_does_not_change_with_what_it_was_made_of(self) -> None:
        given: dict[str, Any] = {"passages": ["a"]}
        copy = plain_copy(given)
        given["passages"].append("b")
        self.assertEqual(copy, {"passages": ["a"]})

    def test_what_is_none_is_refused_with_its_place_and_a_way_out(self) -> None:
        endless: list[Any] = []
        endless.append(endless)
        deep: Any = None
        for _ in range(200):
            deep = [deep]
        cases: list[tuple[Any, str]] = [
            (float("nan"), "it is nan"),
            ({"a": [0, float("-inf")]}, "/a/1 is -inf"),
            ({"a/b": {"~": b"x"}}, "/a~1b/~0 is bytes; write them as a text"),
            ({1: "x"}, "key of type int"),
            ({None: "x"}, "key of type NoneType"),
            ({"a": {True: "x"}}, "/a is an object with a key of type bool"),
            ({"p": Passage("x")}, "/p is the dataclass Passage; give dataclasses.asdict()"),
            ([Point(1, 2)], "/0 is the named tuple Point"),
            ({"a", "b"}, "a set; make a sorted list"),
            (datetime.date(2026, 1, 1), "of the type date"),
            (decimal.Decimal("1.5"), "of the type Decimal"),
            (Passage, "of the type type"),
            ((letter for letter in "ab"), "a generator"),
            ({"a": "\ud800"}, "/a is a text with half of a surrogate pair"),
            ({"\ud800": 1}, "half of a surrogate pair"),
            (10**10_000, "more digits"),
            (endless, "/0 is a part that contains itself"),
            (deep, "nested in more than 128 levels"),
            ([0] * 1_000_001, "more than 1,000,000 values"),
        ]
        for value, fault in cases:
            with self.subTest(fault), self.assertRaises(NoJsonError) as raised:
                plain_copy(value)
            self.assertIn(fault, str(raised.exception))
            str(raised.exception).encode("utf-8")

    def test_shared_parts_are_written_wherever_they_stand(self) -> None:
        part = [1]
        self.assertEqual(encode_json({"a": part, "b": [part, part]}), b'{"a":[1],"b":[[1],[1]]}')

    def test_what_cannot_be_read_is_no_json(self) -> None:
        class Broken(dict[str, Any]):
            def items(self) -> Any:
                raise KeyError("the password is swordfish")

        with self.assertRaises(NoJsonError) as raised:
            plain_copy([Broken(a=1)])
        self.assertEqual(str(raised.exception), "/0 cannot be read (KeyError)")

    def test_texts_of_a_host_are_read_strictly(self) -> None:
        for text in ('{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', "1e999", "[NaN]", '"\\ud800"', '{"\\udFFF":1}', "[1,]"):
            with self.subTest(text), self.assertRaises(ValueError):
                decode_json(text.encode())
        self.assertEqual(decode_json(b'["\\ud83d\\ude00", 18446744073709551617]'), ["😀", 2**64 + 1])


if __name__ == "__main__":
    unittest.main()
