import { isIP } from 'node:net';
import { bodyFields, type Complaint, type Place, shown } from '../../../kernel/arm/body/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { containerErrors } from '../errors.ts';
import { fromBase64 } from './base64.ts';
import { badForm, badWord, missing, type TextCode, tooSmall, type WordCode } from './complaints.ts';
import { isPort, isReserved, RESERVED } from './ports.ts';

/** The kinds of fields that container groups consist of. */

export const { text, list, map, object, boolean, json, number, int32, word } = bodyFields();

export const texts = () => list(text());

/** A text that matches a pattern. An empty text is accepted here; a required field treats it as missing. */
export const form = (code: TextCode, pattern: RegExp, required?: Complaint) =>
  text({ pattern, mayBeEmpty: true, wrong: badForm(code), ...(required && { required }) });

/** The same as list entries; an empty entry is invalid. */
export const entries = (code: TextCode, pattern: RegExp) => list(text({ pattern, wrong: badForm(code) }));

interface OneOf {
  readonly required?: Complaint;
  readonly asSent?: boolean;
}

/** One word of a list, compared case-insensitively. */
export const oneOf = <const Word extends string>(words: readonly Word[], code: WordCode, options: OneOf = {}) =>
  word(words, { ignoreBlanks: true, wrong: badWord(code, words), ...options });

export const atLeast = (min: number, code: 'InvalidProbeTiming' | 'InvalidUserId' | 'InvalidRevision') =>
  int32({ min, wrong: tooSmall(code, min) });

/** Engines measure CPU in hundredths of a core. */
const LEAST_AMOUNT = 0.01;

export const amount = (required?: Complaint) =>
  number({
    min: LEAST_AMOUNT,
    wrong: tooSmall('InvalidResourceRequests', LEAST_AMOUNT),
    ...(required && { required }),
  });

const badPort: Complaint = ({ target, value }) =>
  containerErrors.InvalidPort({ value: Number(value), reserved: RESERVED }, { target });

export const port = () =>
  int32({
    required: missing,
    check: (value, at) => {
      if (!isPort(value) || isReserved(value)) at.wrong(badPort, 'port');
    },
  });

/** A probe connects inside the container, where no port is reserved. */
export const probedPort = () =>
  int32({
    required: missing,
    check: (value, at) => {
      if (!isPort(value)) at.wrong(badPort, 'probed port');
    },
  });

/** An entry of a container's `resolv.conf`, checked word by word. */
const dns = (rule: string, fits: (word: string) => boolean, split: (text: string) => readonly string[]) =>
  text({
    check: (value, at) => {
      if (split(value).every(fits)) return;
      at.wrong(
        ({ target }) => containerErrors.InvalidDnsConfiguration({ value: shown(value), rule }, { target }),
        'dns',
      );
    },
  });

const byBlanks = (value: string): readonly string[] => value.split(' ').filter(Boolean);

export const nameServers = () =>
  list(
    dns(
      'it must be an IP address',
      (each) => isIP(each) !== 0,
      (value) => [value],
    ),
    { required: missing },
  );
export const searchDomains = () =>
  dns('it must be domain names with blanks between them', (each) => /^[\w]([\w.-]{0,252})$/.test(each), byBlanks);
export const dnsOptions = () =>
  dns(
    'it must be options such as ndots:2 with blanks between them',
    (each) => /^[\w-]{1,60}(:\d{1,5})?$/.test(each),
    byBlanks,
  );

export const seccompProfile = () =>
  text({
    check: (value, at) => {
      const bytes = fromBase64(value);
      if (bytes && isJsonObject(bytes.toString('utf8'))) return;
      const rule = bytes ? 'it must be a JSON object, in base64' : 'it must be base64';
      at.wrong(({ target }) => containerErrors.InvalidSeccompProfile({ rule }, { target }), 'seccomp profile');
    },
  });

function isJsonObject(given: string): boolean {
  try {
    return isObject(JSON.parse(given));
  } catch {
    return false;
  }
}

const MOST_POLICY_BYTES = 120 * 1024;

export const policy = () =>
  text({
    check: (value, at: Place) => {
      const isTooLong = value.length > MOST_POLICY_BYTES;
      const isBase64 = fromBase64(value) !== undefined;
      if (isBase64 && !isTooLong) return;
      const rule = isBase64 ? `it must have at most ${MOST_POLICY_BYTES} characters` : 'it must be base64';
      at.wrong(({ target }) => containerErrors.InvalidCcePolicy({ rule }, { target }), 'policy');
    },
  });
