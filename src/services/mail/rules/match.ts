import { contentOf } from '../api/content.ts';
import type { Address, Message } from '../messages/types.ts';
import { actionFlagOf, SIGNS, sensitivityOf } from './signs.ts';
import type { FlagPredicate, MessageRule, Predicates, TextPredicate } from './types.ts';

/** Decides if a rule matches a message. */

/** Characters of a body's text that are searched, so that rules do not slow down the delivery of a huge message. */
const SEARCHED_CHARACTERS = 100_000;
/** Characters of a body with markup that are converted to text. */
const READ_CHARACTERS = 1_000_000;
const KILOBYTE = 1024;

/** A message as rules see it. Values that several predicates need are computed once. */
export class Examined {
  readonly message: Message;
  /** Address of the mailbox in lower case. */
  readonly #owner: string;
  #body: string | undefined;

  constructor(message: Message, owner: string) {
    this.message = message;
    this.#owner = owner.toLowerCase();
  }

  /** True if all conditions and no exceptions hold. A rule without conditions matches every message. */
  matches({ conditions = {}, exceptions = {} }: Pick<MessageRule, 'conditions' | 'exceptions'>): boolean {
    for (const holds of this.#each(conditions)) if (!holds()) return false;
    for (const holds of this.#each(exceptions)) if (holds()) return false;
    return true;
  }

  /** Yields the predicates one by one; each is evaluated only when it is called. */
  *#each(predicates: Predicates): Generator<() => boolean> {
    const { message } = this;
    for (const [name, texts] of this.#texts(predicates)) yield () => this.#contains(name, texts);
    for (const [name, test] of Object.entries(this.#flags) as [FlagPredicate, () => boolean][])
      if (predicates[name]) yield test;
    const { fromAddresses, sentToAddresses, importance, sensitivity, messageActionFlag, withinSizeRange } = predicates;
    if (fromAddresses) yield () => hasAny([message.from, message.sender], fromAddresses);
    if (sentToAddresses) yield () => hasAny([...message.to, ...message.cc, ...message.bcc], sentToAddresses);
    if (importance) yield () => message.importance === importance;
    if (sensitivity) yield () => sensitivityOf(message) === sensitivity;
    if (messageActionFlag)
      yield () => {
        const flag = actionFlagOf(message);
        return flag !== undefined && (messageActionFlag === 'any' || flag === messageActionFlag.toLowerCase());
      };
    if (withinSizeRange)
      yield () => {
        const kilobytes = message.size / KILOBYTE;
        return kilobytes >= withinSizeRange.minimumSize && kilobytes <= withinSizeRange.maximumSize;
      };
  }

  *#texts(predicates: Predicates): Generator<readonly [TextPredicate, readonly string[]]> {
    for (const name of Object.keys(this.#searched) as TextPredicate[]) {
      const texts = predicates[name];
      if (texts) yield [name, texts];
    }
  }

  #contains(name: TextPredicate, texts: readonly string[]): boolean {
    const wanted = texts.map((each) => each.toLowerCase());
    if (name === 'categories') return this.message.categories.some((each) => wanted.includes(each.toLowerCase()));
    const searched = this.#searched[name]();
    return wanted.some((each) => searched.some((text) => text.includes(each)));
  }

  /** Lower case. */
  readonly #searched: Readonly<Record<TextPredicate, () => readonly string[]>> = {
    bodyContains: () => [this.#bodyText()],
    subjectContains: () => [this.message.subject.toLowerCase()],
    bodyOrSubjectContains: () => [this.message.subject.toLowerCase(), this.#bodyText()],
    senderContains: () => namesOf([this.message.from, this.message.sender]),
    recipientContains: () => namesOf([...this.message.to, ...this.message.cc, ...this.message.bcc]),
    headerContains: () => this.message.headers.map(({ name, value }) => `${name}: ${value}`.toLowerCase()),
    categories: () => [],
  };

  #bodyText(): string {
    const { contentType, content } = this.message.body;
    const read = { contentType, content: content.slice(0, READ_CHARACTERS) };
    this.#body ??= contentOf(read, { body: 'text' }).content.slice(0, SEARCHED_CHARACTERS).toLowerCase();
    return this.#body;
  }

  #isOwner = ({ address }: Address): boolean => address.toLowerCase() === this.#owner;
  readonly #isTo = (): boolean => this.message.to.some(this.#isOwner);
  readonly #isCc = (): boolean => this.message.cc.some(this.#isOwner);

  readonly #flags: Readonly<Record<FlagPredicate, () => boolean>> = {
    hasAttachments: () => this.message.hasAttachments,
    sentToMe: this.#isTo,
    sentCcMe: this.#isCc,
    sentOnlyToMe: () => this.#isTo() && this.message.to.length === 1 && this.message.cc.length === 0,
    sentToOrCcMe: () => this.#isTo() || this.#isCc(),
    notSentToMe: () => !this.#isTo() && !this.#isCc(),
    isMeetingRequest: () => this.message.meeting?.messageType === 'meetingRequest',
    isMeetingResponse: () => this.message.meeting?.response !== undefined,
    ...(Object.fromEntries(
      Object.entries(SIGNS).map(([name, sign]) => [name, () => sign(this.message.headers)]),
    ) as Record<keyof typeof SIGNS, () => boolean>),
  };
}

const namesOf = (people: readonly (Address | undefined)[]): readonly string[] =>
  people.flatMap((each) => (each ? [each.address.toLowerCase(), each.name.toLowerCase()] : []));

const hasAny = (people: readonly (Address | undefined)[], wanted: readonly Address[]): boolean =>
  people.some((each) => each && wanted.some(({ address }) => address.toLowerCase() === each.address.toLowerCase()));
