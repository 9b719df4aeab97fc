import { type Case, refused, value } from './case.ts';

const LOGICAL: readonly Case[] = [
  value('#140', 'IF(FALSE, 1)', null),
  value('#140', 'IF(TRUE, 1, VALUE("x"))', 1),
  value('#141', 'SWITCH(TRUE(), 1 > 2, "a", 2 > 1, "b", "c")', 'b'),
  value('#141', 'SWITCH(3, 1, "a")', null),
  value('#142', 'DIVIDE(5, 0)', null),
  value('#142', 'DIVIDE(5, 0, 1)', 1),
  value('#142', 'DIVIDE(5, 2)', 2.5),
  value('branches of different types', 'IF([Rows] > 5, "many", 0)', 'many'),
  value('conditions in rows', 'SUMX(Sale, SWITCH(TRUE(), Sale[Qty] > 3, 100, Sale[Qty] > 1, 10, 1))', 222),
  value('all of several', 'AND([Rows] = 6, OR([Total] = 1, NOT FALSE))', true),
];

const TEXT: readonly Case[] = [
  value('#143', 'MID("abcdef", 3, 2)', 'cd'),
  value('#143', 'REPLACE("abcdef", 2, 3, "X")', 'aXef'),
  value('#144', 'SEARCH("N", "tuna")', 3),
  value('#144', 'FIND("N", "tuna",, 0)', 0),
  refused('#144', 'ROW("x", FIND("z", "tuna"))', /found/i),
  value('#145', 'SUBSTITUTE("banana", "a", "o", 2)', 'banona'),
  value('#145', 'SUBSTITUTE("banana", "A", "o")', 'banana'),
  value('#146', 'CONTAINSSTRING("Tuna", "t?n")', true),
  value('#146', 'CONTAINSSTRINGEXACT("Tuna", "t")', false),
];

const MATHS: readonly Case[] = [
  value('#147', 'ROUND(-1.15, 1)', -1.2),
  value('#147', 'INT(-4.3)', -5),
  value('#147', 'TRUNC(-4.3)', -4),
  value('#147', 'MOD(-3, 2)', 1),
];

const DATES: readonly Case[] = [
  value('#148', 'DATE(2024, 14, 1)', '2025-02-01T00:00:00'),
  value('#148', 'DATE(2023, 2, 29)', '2023-03-01T00:00:00'),
  value('#148', 'DATE(24, 1, 1)', '2024-01-01T00:00:00'),
  value('#149', 'TIME(27, 0, 0)', '1899-12-30T03:00:00'),
  value('#149', 'HOUR(0.5)', 12),
  value('#150', 'DATEDIFF(dt"2023-12-31", dt"2024-01-01", YEAR)', 1),
  value('#150', 'DATEDIFF(dt"2024-01-01", dt"2023-12-31", YEAR)', -1),
  value('#151', 'EOMONTH(dt"2024-01-15", 1)', '2024-02-29T00:00:00'),
  value('#151', 'EDATE(dt"2024-01-31", 1)', '2024-02-29T00:00:00'),
  value('#152', 'WEEKDAY(dt"2024-01-05")', 6),
  value('#152', 'WEEKDAY(dt"2024-01-05", 2)', 5),
  value('#152', 'WEEKDAY(dt"2024-01-05", 3)', 4),
  value('#153', 'WEEKNUM(dt"2024-01-07")', 2),
  value('#153', 'WEEKNUM(dt"2024-01-07", 21)', 1),
  value('#153', 'WEEKNUM(dt"2023-01-01", 21)', 52),
  value('#154', 'dt"2024-01-05" + 1.5', '2024-01-06T12:00:00'),
];

const FORMATS: readonly Case[] = [
  value('#155', 'FORMAT(1234.5, "#,##0.00")', '1,234.50'),
  value('#155', 'FORMAT(1234.5, "Fixed")', '1234.50'),
  value('#155', 'FORMAT(1234.5, "General Number")', '1234.5'),
  value('#156', 'FORMAT(0.256, "0.0%")', '25.6%'),
  value('#156', 'FORMAT(0.256, "Percent")', '25.60%'),
  value('#157', 'FORMAT(-5, "0;(0);zero")', '(5)'),
  value('#157', 'FORMAT(0, "0;(0);zero")', 'zero'),
  value('#158', 'FORMAT(dt"2024-01-05T13:04:09", "yyyy-mm-dd hh:nn:ss")', '2024-01-05 13:04:09'),
  value('#158', 'FORMAT(dt"2024-01-05T13:04:09", "h:nn AM/PM")', '1:04 PM'),
  value('#159', 'FORMAT(dt"2024-01-05", "dddd, mmm d")', 'Friday, Jan 5'),
  value('#159', 'FORMAT(dt"2024-01-05", "yyyy \\Qq")', '2024 Q1'),
];

export const FUNCTIONS: readonly Case[] = [...LOGICAL, ...TEXT, ...MATHS, ...DATES, ...FORMATS];
