import { eq, readAll, type Stored } from '../../../kernel/store/index.ts';
import { delayFor } from '../hooks.ts';
import type { Page as ApiPage } from '../model/types.ts';
import type { Books, RecordChange } from '../records/books.ts';
import type { Settings } from '../settings.ts';
import { type Subscription, subscriptions } from '../webhooks/collection.ts';
import { type Hold, type Outbox, outboxes, type Verdict, windowEnds } from './collections.ts';
import { canJoin, heldForDelegates, holdOf } from './holds.ts';
import { entriesOf, OutboxDraft, type PartName, storedIn } from './outbox-draft.ts';
import { type PageChange, pageChangesOf, pageOf } from './page-changes.ts';
import { thresholdFor } from './thresholds.ts';
import { WindowDrafts, windowId } from './window-drafts.ts';

export type Watchers = ReadonlyMap<string, readonly Stored<Subscription>[]>;

/** Smaller parts are not checked against the limit of stored entries. */
const SHARE_OF_STORED = 1000;

/** Adds the changes of one transaction to the outboxes of the subscriptions that watch them. */
export class Intake {
  readonly #books: Books;
  readonly #watchers: Watchers;
  readonly #settings: Settings;
  readonly #mostStored: number;
  readonly #hold: Hold | undefined;
  readonly #windows: WindowDrafts;
  readonly #drafts = new Map<string, OutboxDraft>();
  readonly #pages = new Map<string, ApiPage | undefined>();
  /** Windows whose outboxes are all loaded as drafts. */
  readonly #loaded = new Set<string>();
  /** Number of stored entries of the company; undefined until it is needed. */
  #stored: number | undefined;

  constructor(books: Books, watchers: Watchers, settings: Settings, mostStored: number) {
    this.#books = books;
    this.#watchers = watchers;
    this.#settings = settings;
    this.#mostStored = mostStored;
    this.#hold = holdOf(books.actor);
    this.#windows = new WindowDrafts(books.tx, { now: books.now, user: books.actor.objectId });
  }

  /** The verdicts on each change, in the order of the changes. */
  async run(): Promise<Verdict[][]> {
    const { changes } = this.#books;
    await this.#openOutboxes();
    if (this.#hold === undefined) await this.#releaseHeld();
    const verdicts: Verdict[][] = [];
    for (const change of changes) {
      const own: Verdict[] = [];
      for (const watcher of this.#watchers.get(change.row.table.name) ?? []) {
        const draft = this.#drafts.get(watcher.key);
        if (draft) own.push(await this.#note(watcher, draft, change));
      }
      verdicts.push(own);
    }
    for (const draft of this.#drafts.values()) await draft.save();
    await this.#windows.save();
    return verdicts;
  }

  async #openOutboxes(): Promise<void> {
    const { tx } = this.#books;
    const watching = [...this.#watchers.values()].flat();
    await this.#windows.lock(watching.map(({ value }) => value.address));
    for (const { key, value } of watching) {
      const draft = (await OutboxDraft.load(tx, key)) ?? (await this.#firstDraft(key, value));
      if (!draft) continue;
      if (!draft.part('ready')) draft.moveTo(value);
      await this.#windows.lock([draft.value.window]);
      this.#drafts.set(key, draft);
    }
  }

  /**
   * Returns undefined if the subscription has been removed or changed to watch another resource meanwhile: its outbox would never be
   * emptied.
   */
  async #firstDraft(key: string, found: Subscription): Promise<OutboxDraft | undefined> {
    const { tx } = this.#books;
    const now = await tx.get(subscriptions, key, 'share');
    if (!now || now.value.retargeted !== found.retargeted) return undefined;
    return OutboxDraft.empty(tx, key, found);
  }

  /** Releases held changes that wait for a change like these. */
  async #releaseHeld(): Promise<void> {
    const { tx, company, changes } = this.#books;
    for (const [table, watchers] of this.#watchers) {
      for (const { key } of watchers) await this.#release('jobs', this.#drafts.get(key), table);
    }
    const held = await heldForDelegates(tx, company.key);
    if (held.length === 0) return;
    const seen = changes.find((change) =>
      this.#watchers.get(change.row.table.name)?.some((watcher) => this.#pageChanges(watcher, change).length > 0),
    );
    if (!seen) return;
    await this.#windows.lock(held.map(({ window }) => window));
    for (const { key } of held) await this.#release('delegated', await this.#draft(key), seen.row.table.name);
  }

  async #release(hold: Hold, draft: OutboxDraft | undefined, table: string): Promise<void> {
    const { tx, jar, now, actor } = this.#books;
    const held = draft?.part(hold);
    if (!draft || !held) return;
    const window = this.#windows.open(draft.value, delayFor(this.#settings, draft.value.target));
    await draft.release(hold, window.id);
    await this.#gatherIfTooMany(draft, 'ready');
    if (jar.traces.kept === 0) return;
    const { objectId: by, name: byName } = actor;
    await tx.put(windowEnds, held.id, { is: 'released', at: now, into: window.id, by, byName, table });
  }

  async #note(watcher: Stored<Subscription>, draft: OutboxDraft, change: RecordChange): Promise<Verdict> {
    const { subscriptionId, retargeted } = watcher.value;
    let verdict: Verdict = { subscription: subscriptionId, rule: 'not-shown' };
    for (const pageChange of this.#pageChanges(watcher, change)) {
      verdict = await this.#join(subscriptionId, draft, change, pageChange);
    }
    return retargeted ? { ...verdict, retargeted } : verdict;
  }

  async #join(
    subscription: string,
    draft: OutboxDraft,
    { row }: RecordChange,
    pageChange: PageChange,
  ): Promise<Verdict> {
    const [name, id] = this.#place(draft);
    const isNew = draft.part(name)?.isCollection !== true;
    if (isNew && (await this.#isFull(draft, name))) return { subscription, rule: 'too-many' };
    const rule = await draft.add(name, id, pageChange, row.stored.key, this.#books.now);
    const waits = draft.part(name)?.id ?? id;
    if (rule !== 'entry') return { subscription, rule, waits };
    if (this.#stored !== undefined) this.#stored += 1;
    await this.#gatherIfTooMany(draft, name);
    return { subscription, rule: draft.part(name)?.isCollection ? 'collection' : rule, waits };
  }

  /** The part of the outbox that an entry belongs to, and the id of its window or hold. */
  #place(draft: OutboxDraft): readonly [PartName, string] {
    const { window: key, target } = draft.value;
    const hold = this.#hold;
    if (hold !== undefined && !canJoin(hold, target.table, this.#windows.get(key))) {
      return [hold, draft.part(hold)?.id ?? windowId(this.#books.now)];
    }
    const { id } = this.#windows.open(draft.value, delayFor(this.#settings, target));
    if (hold === undefined) this.#windows.noteTable(key, target.table);
    return ['ready', id];
  }

  #pageChanges({ value: { target } }: Stored<Subscription>, change: RecordChange): readonly PageChange[] {
    const name = `${target.route}/${target.set}`;
    if (!this.#pages.has(name)) this.#pages.set(name, pageOf(this.#books.model, target));
    const page = this.#pages.get(name);
    return page && page.table === change.row.table.name ? pageChangesOf(page, target.keyKind, change) : [];
  }

  /** Replaces entries by a collection entry if there are too many: in the part, or in everything that goes to the address. */
  async #gatherIfTooMany(draft: OutboxDraft, name: PartName): Promise<void> {
    const { most, perAddress } = thresholdFor(this.#settings, draft.value.target);
    if (!perAddress || name !== 'ready') {
      if ((draft.part(name)?.count ?? 0) > most) await this.#gather(draft, name);
      return;
    }
    const { window } = draft.value;
    await this.#loadAllOf(window);
    const together = [...this.#drafts.values()].filter(({ value }) => value.window === window);
    const count = together.reduce((sum, each) => sum + entriesOf(each.part('ready')), 0);
    if (count > most) for (const each of together) await this.#gather(each, 'ready');
  }

  async #gather(draft: OutboxDraft, name: PartName): Promise<void> {
    this.#stored = undefined;
    await draft.gather(name);
  }

  async #loadAllOf(window: string): Promise<void> {
    if (this.#loaded.has(window)) return;
    this.#loaded.add(window);
    for (const { key } of await this.#outboxesOf('window', window)) await this.#draft(key);
  }

  async #draft(key: string): Promise<OutboxDraft | undefined> {
    const draft = this.#drafts.get(key) ?? (await OutboxDraft.load(this.#books.tx, key));
    if (draft) this.#drafts.set(key, draft);
    return draft;
  }

  async #isFull(draft: OutboxDraft, name: PartName): Promise<boolean> {
    const share = Math.min(SHARE_OF_STORED, Math.floor(this.#mostStored / SHARE_OF_STORED));
    if ((draft.part(name)?.count ?? 0) < share) return false;
    if (this.#stored === undefined) {
      const all = await this.#outboxesOf('company', this.#books.company.key);
      const saved = all
        .filter(({ key }) => !this.#drafts.has(key))
        .reduce((sum, { value }) => sum + storedIn(value), 0);
      this.#stored = [...this.#drafts.values()].reduce((sum, each) => sum + each.stored, saved);
    }
    return this.#stored >= this.#mostStored;
  }

  #outboxesOf(field: 'window' | 'company', value: string): Promise<Stored<Outbox>[]> {
    return readAll(this.#books.tx, outboxes, { filter: eq(field, value) });
  }
}
