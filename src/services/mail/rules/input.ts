import { flag, list, mistake, nullable, number, object, type Read, text, word } from '../api/fields.ts';
import { recipients } from '../api/values.ts';
import { SENSITIVITIES } from '../calendar/types.ts';
import { IMPORTANCES } from '../messages/types.ts';
import { isMailAddress } from '../mime/mail-address.ts';
import {
  ACTION_FLAGS,
  FLAG_PREDICATES,
  type FlagPredicate,
  type Predicates,
  TEXT_PREDICATES,
  type TextPredicate,
} from './types.ts';

/** Validates a rule that a client sent. */

const LONGEST_NAME = 256;
const LONGEST_TEXT = 255;
const MOST_TEXTS = 100;
const MOST_ADDRESSES = 100;
const LARGEST_NUMBER = 2 ** 31 - 1;

const name: Read<string> = (value, at) => {
  const given = text({ longest: LONGEST_NAME })(value, at).trim();
  if (given === '') throw mistake(at, 'a rule needs a name');
  return given;
};

/** An empty string would match every message. */
const texts: Read<readonly string[]> = (value, at) =>
  list(text({ longest: LONGEST_TEXT }), MOST_TEXTS)(value, at).map((each, index) => {
    if (each.trim() === '') throw mistake(`${at}[${index}]`, 'an empty string cannot be searched for');
    return each;
  });

const addresses: Read<ReturnType<typeof recipients>> = (value, at) => {
  const given = recipients(value, at);
  if (given.length > MOST_ADDRESSES) throw mistake(at, `at most ${MOST_ADDRESSES} addresses are allowed`);
  for (const [index, { address }] of given.entries())
    if (address === '') throw mistake(`${at}[${index}]/emailAddress/address`, 'it is required');
  return given;
};

/** Recipients of a rule. With one invalid address, every mail that the rule matches would be refused. */
const targets: Read<ReturnType<typeof recipients>> = (value, at) => {
  const given = addresses(value, at);
  for (const [index, { address }] of given.entries())
    if (!isMailAddress(address))
      throw mistake(`${at}[${index}]/emailAddress/address`, 'it is not an address that mail can be sent to');
  return given;
};

const size = number(0, LARGEST_NUMBER);
const sizeFields = object('sizeRange', { minimumSize: nullable(size), maximumSize: nullable(size) });

const sizeRange: Read<NonNullable<Predicates['withinSizeRange']>> = (value, at) => {
  const sent = sizeFields(value, at);
  const [minimumSize, maximumSize] = [sent.minimumSize ?? 0, sent.maximumSize ?? LARGEST_NUMBER];
  if (minimumSize > maximumSize) throw mistake(at, 'the minimum is larger than the maximum');
  return { minimumSize, maximumSize };
};

const all = <N extends string, T>(names: readonly N[], read: Read<T>) =>
  Object.fromEntries(names.map((each) => [each, nullable(read)])) as Readonly<Record<N, Read<T | null>>>;

const predicateFields = object('messageRulePredicates', {
  ...all<TextPredicate, readonly string[]>(TEXT_PREDICATES, texts),
  ...all<FlagPredicate, boolean>(FLAG_PREDICATES, flag),
  fromAddresses: nullable(addresses),
  sentToAddresses: nullable(addresses),
  importance: nullable(word(IMPORTANCES)),
  sensitivity: nullable(word(SENSITIVITIES)),
  messageActionFlag: nullable(word(ACTION_FLAGS)),
  withinSizeRange: nullable(sizeRange),
});

const actionFields = object('messageRuleActions', {
  assignCategories: nullable(list(text({ longest: LONGEST_TEXT }), MOST_TEXTS)),
  copyToFolder: nullable(text({ longest: 1000 })),
  moveToFolder: nullable(text({ longest: 1000 })),
  delete: nullable(flag),
  permanentDelete: nullable(flag),
  forwardTo: nullable(targets),
  forwardAsAttachmentTo: nullable(targets),
  redirectTo: nullable(targets),
  markAsRead: nullable(flag),
  markImportance: nullable(word(IMPORTANCES)),
  stopProcessingRules: nullable(flag),
});

/** Null properties and empty lists count as missing. */
type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], null | undefined> };

function present<T extends object>(sent: T): Present<T> {
  const given = Object.entries(sent).filter(([, each]) => each !== null && !(Array.isArray(each) && each.length === 0));
  return Object.fromEntries(given) as Present<T>;
}

const predicates: Read<Predicates> = (value, at) => present(predicateFields(value, at));

/** Folders are the client's ids, until they are resolved. */
const actions: Read<Present<ReturnType<typeof actionFields>>> = (value, at) => {
  const given = present(actionFields(value, at));
  if (!Object.values(given).some((each) => each !== false)) throw mistake(at, 'a rule needs an action');
  return given;
};

export const ruleInput = object('messageRule', {
  id: (value: unknown) => value,
  hasError: (value: unknown) => value,
  displayName: name,
  sequence: number(0, LARGEST_NUMBER),
  isEnabled: flag,
  isReadOnly: flag,
  conditions: nullable(predicates),
  exceptions: nullable(predicates),
  actions,
});

export type RuleInput = ReturnType<typeof ruleInput>;
