import { serialAt } from '../../../../kernel/store/index.ts';

const FORM = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,3}))?)?)?$/;

/** Parses the text of a `dt"…"` literal to days since 1899-12-30. Returns undefined if it is not a date. */
export function serialOf(text: string): number | undefined {
  const parts = FORM.exec(text.trim());
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0'));
  const whole = Date.UTC(year!, month! - 1, day!);
  const date = new Date(whole);
  date.setUTCFullYear(year!);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day || year! < 100) return undefined;
  if (hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const time = ((hour! * 60 + minute!) * 60 + second!) * 1000 + milliseconds;
  return serialAt(whole + time);
}
