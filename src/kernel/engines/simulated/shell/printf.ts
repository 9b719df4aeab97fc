import type { Done } from './commands.ts';
import type { Machine } from './machine.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  e: '\u001b',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};
const ESCAPE = /\\(?:([ntr\\eabfv])|x([\da-fA-F]{1,2})|(0?[0-7]{1,3}))/g;
const DIRECTIVE = /%(-)?(0)?(\d{1,3})?(?:\.(\d{1,3}))?([sdiuxXocb%])/g;

export const withEscapes = (text: string): string =>
  text.replace(ESCAPE, (_, named: string | undefined, hex: string | undefined, octal: string) => {
    if (named !== undefined) return ESCAPES[named] as string;
    return String.fromCharCode(hex === undefined ? Number.parseInt(octal, 8) & 255 : Number.parseInt(hex, 16));
  });

const NUMBER = /^[-+]?(?:0[xX][\da-fA-F]+|\d+)$/;

/** The format is applied again until all arguments are used. */
export function printf([format = '', ...args]: readonly string[], machine: Machine): Done {
  const template = withEscapes(format);
  let stdout = '';
  let stderr = '';
  let at = 0;
  const number = (text: string): number => {
    if (text !== '' && !NUMBER.test(text)) stderr += `printf: invalid number '${text.slice(0, 40)}'\n`;
    return Number.isNaN(Number(text)) ? 0 : Number(text);
  };
  const value = (code: string, text: string, precision: string | undefined): string => {
    if (code === 'c') return text.slice(0, 1);
    if (code === 'x') return number(text).toString(16);
    if (code === 'X') return number(text).toString(16).toUpperCase();
    if (code === 'o') return number(text).toString(8);
    if (code !== 's' && code !== 'b') return String(number(text));
    const whole = code === 'b' ? withEscapes(text) : text;
    return precision === undefined ? whole : whole.slice(0, Number(precision));
  };
  do {
    const before = at;
    const round = template.replace(DIRECTIVE, (_, left, zero, width = '0', precision, code: string) => {
      if (code === '%') return '%';
      const text = value(code, args[at++] ?? '', precision);
      if (left !== undefined) return text.padEnd(Number(width));
      const digits = zero !== undefined && /[diuxXo]/.test(code);
      return digits
        ? text.replace(/^-?/, (sign) => sign + '0'.repeat(Math.max(0, Number(width) - text.length)))
        : text.padStart(Number(width));
    });
    machine.spend(template.length + round.length);
    stdout += round;
    if (at === before) break;
  } while (at < args.length);
  return { status: stderr === '' ? 0 : 1, stdout, stderr };
}
