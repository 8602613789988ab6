import { describe, expect, test } from "bun:test";
import { meaningOf } from "../../../src/page/app/lib/base/typed.ts";

/** What a typed text means as the value of a field. */

describe("a number", () => {
  test.each([
    ["7", "7"],
    ["7,5", "7.5"],
    ["7.5", "7.5"],
    ["7,50", "7.5"],
    ["7,", "7"],
    [",5", "0.5"],
    ["0,125", "0.125"],
    ["1,664", "1664"],
    ["1,234,567.25", "1234567.25"],
    [" 12 ", "12"],
    ["-3", "-3"],
    ["007", "7"],
    ["", ""],
    ["  ", ""],
  ])("%p is %p", (text, value) => {
    expect(meaningOf(text, "number")).toEqual({ value });
  });
  test.each([
    "7,5,5",
    "1.000,5",
    "12,34.5",
    "seven",
    "7h",
    "1e3",
    "0x10",
    "--1",
    ".",
    "1 000",
    "٧",
    "½",
  ])("%p is none", (text) => {
    expect(meaningOf(text, "number")).toEqual({
      value: text,
      mistake: "Please enter a number, such as 7.5.",
    });
  });
});

describe("a date", () => {
  test("of a control that holds half of one, or a day that does not exist, is a mistake", () => {
    expect(meaningOf("", "date", { isIncomplete: true })).toEqual({
      mistake: "This is no complete date, or a day that does not exist.",
    });
    expect(meaningOf("", "time", { isIncomplete: true })).toEqual({
      mistake: "This is no complete time.",
    });
  });
  test.each([
    ["0026-12-02", "This is the year 26. Please type all four digits."],
    ["0019-04-05", "This is the year 19. Please type all four digits."],
    ["1899-12-31", "This is the year 1899. Please type all four digits."],
  ])("%p is before 1900", (text, mistake) => {
    expect(meaningOf(text, "date")).toEqual({ value: text, mistake });
  });
  test.each(["1900-01-01", "2026-12-02", "9999-12-31", ""])("%p is one, or none", (text) => {
    expect(meaningOf(text, "date")).toEqual({ value: text });
  });
});

test("a text that is longer than its field is kept whole, and refused", () => {
  expect(meaningOf("x".repeat(200), "text", { maxLength: 200 })).toEqual({
    value: "x".repeat(200),
  });
  expect(meaningOf("x".repeat(301), "text", { maxLength: 200 })).toEqual({
    value: "x".repeat(301),
    mistake: "At most 200 characters: these are 301.",
  });
});

test("a list has what stands between its commas, ended or not", () => {
  expect(meaningOf("97153, 97155 ,, 97156", "list")).toEqual({ value: "97153, 97155, 97156" });
});

describe("a phone number", () => {
  test.each([
    ["2125550123", "+12125550123"],
    ["(212) 555-0123", "+12125550123"],
    ["212.555.0123", "+12125550123"],
    ["1 212 555 0123", "+12125550123"],
    ["+1 (212) 555-0123", "+12125550123"],
    ["+12125550123", "+12125550123"],
  ])("%p is one of North America: %p", (text, value) => {
    expect(meaningOf(text, "tel")).toEqual({ value });
  });
  test.each([
    "+44 20 7946 0958",
    "+47 12 34 56 78",
    "+507 264-1234",
    "+52 55 1234 5678",
    "+(44) 20 7946 0958",
    "011 44 20 7946 0958",
    "00 47 12 34 56",
    "0912345678",
    "212 555 012",
    "+1 212 555 012",
    "212 555 0123 x12",
    "212 055 0123",
    "12 34 56 78 90",
  ])("%p stays as it is, whole and at each digit before", (text) => {
    for (let length = 1; length <= text.length; length += 1) {
      const typed = text.slice(0, length);
      const { value } = meaningOf(typed, "tel");
      if (!/^212 555 0123/.test(typed)) expect(value).toBe(typed);
    }
    expect(meaningOf(text, "tel")).toEqual({ value: text });
  });
});
