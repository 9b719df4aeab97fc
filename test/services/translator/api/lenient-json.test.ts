import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLeniently } from '../../../../src/services/translator/api/lenient-json.ts';

describe('JSON with single quotes', () => {
  it.each([
    ["[{'Text':'x'}]", [{ Text: 'x' }]],
    [`[{'Text':"it's"}]`, [{ Text: "it's" }]],
    [`[{"Text":'say "yes"'}]`, [{ Text: 'say "yes"' }]],
    [String.raw`[{'Text':'it\'s'}]`, [{ Text: "it's" }]],
    [String.raw`[{'Text':'a \"b\" \\ \n \u00e9'}]`, [{ Text: 'a "b" \\ \n é' }]],
    [String.raw`['\\', 'b']`, ['\\', 'b']],
    ['[\'\', ""]', ['', '']],
    [String.raw`["\\",'\\\'"']`, ['\\', `\\'"`]],
    ["'alone'", 'alone'],
  ])('%s is read', (text, value) => {
    expect(parseLeniently(Buffer.from(text))).toEqual(value);
  });

  it.each([
    ["['a]"],
    ["[a']"],
    ["[{Text:'a'}]"],
    ["['a',]"],
    ["['a' 'b']"],
    [String.raw`['\x']`],
    [String.raw`["\'",'a']`],
    ["['a\\"],
    ["['a\nb']"],
    ['[“a”]'],
    [''],
    ['nothing of the kind'],
  ])('%j is refused with the mistake of the strict reading', (text) => {
    const strict = (() => {
      try {
        return JSON.parse(text);
      } catch (error) {
        return error;
      }
    })();
    expect(() => parseLeniently(Buffer.from(text))).toThrow(strict as Error);
  });
});

it('what is JSON is read as JSON, whatever quotes are in it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseLeniently(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

it('a value survives being written with single quotes', () => {
  const written = (value: string): string =>
    `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (values) => {
      expect(parseLeniently(Buffer.from(`[${values.map(written).join()}]`))).toEqual(values);
    }),
  );
});
