import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bench, onBothStores } from '../../../support/jars.ts';

/** Numbers select among the existing folders and messages, so every step of a program is valid whatever the mailbox contains. */
const index = fc.nat({ max: 1000 });
const step = fc.oneof(
  fc.record({
    do: fc.constant('create folder' as const),
    parent: index,
    name: fc.nat({ max: 4 }),
    hidden: fc.boolean(),
  }),
  fc.record({ do: fc.constant('rename folder' as const), folder: index, name: fc.nat({ max: 4 }) }),
  fc.record({ do: fc.constant('move folder' as const), folder: index, parent: index }),
  fc.record({ do: fc.constant('copy folder' as const), folder: index, parent: index }),
  fc.record({ do: fc.constant('delete folder' as const), folder: index }),
  fc.record({ do: fc.constant('remove folder' as const), folder: index }),
  fc.record({ do: fc.constant('mark folder' as const), folder: index, isRead: fc.boolean() }),
  fc.record({ do: fc.constant('create message' as const), parent: index, isRead: fc.boolean() }),
  fc.record({ do: fc.constant('create message' as const), parent: index, isRead: fc.boolean() }),
  fc.record({ do: fc.constant('move message' as const), message: index, parent: index }),
  fc.record({ do: fc.constant('copy message' as const), message: index, parent: index }),
  fc.record({ do: fc.constant('mark message' as const), message: index, isRead: fc.boolean() }),
  fc.record({ do: fc.constant('delete message' as const), message: index }),
  fc.record({ do: fc.constant('remove message' as const), message: index }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Folder {
  readonly id: string;
  readonly displayName: string;
  readonly totalItemCount: number;
  readonly unreadItemCount: number;
  readonly childFolderCount: number;
}

const ROOTS = ['msgfolderroot', 'recoverableitemsdeletions'];

class MailboxProgram {
  readonly #bench: Bench;
  constructor(bench: Bench) {
    this.#bench = bench;
  }

  async #ask(method: string, path: string, body?: unknown) {
    const reply = await this.#bench.call(method, `/beta/me/${path}`, body === undefined ? {} : { body });
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(500);
    return reply;
  }

  async folders(): Promise<Folder[]> {
    const found: Folder[] = [];
    const visit = async (folder: Folder): Promise<void> => {
      found.push(folder);
      const children = await this.#ask(
        'GET',
        `mailFolders/${folder.id}/childFolders?$top=1000&includeHiddenFolders=true`,
      );
      for (const child of children.body.value) await visit(child);
    };
    for (const root of ROOTS) await visit((await this.#ask('GET', `mailFolders/${root}`)).body);
    return found;
  }

  #known: Promise<Folder[]> | undefined;

  async #folder(number: number): Promise<string> {
    this.#known ??= this.folders();
    const all = await this.#known;
    return all[number % all.length]!.id;
  }

  async #message(number: number): Promise<string | undefined> {
    const { body } = await this.#ask('GET', 'messages?$top=1000&$select=id');
    return body.value.length === 0 ? undefined : body.value[number % body.value.length].id;
  }

  async run(it: Step): Promise<void> {
    await this.#run(it);
    if (it.do.endsWith('folder')) this.#known = undefined;
  }

  async #run(it: Step): Promise<void> {
    switch (it.do) {
      case 'create folder': {
        const body = { displayName: `Folder ${it.name}`, isHidden: it.hidden };
        await this.#ask('POST', `mailFolders/${await this.#folder(it.parent)}/childFolders`, body);
        return;
      }
      case 'rename folder':
        await this.#ask('PATCH', `mailFolders/${await this.#folder(it.folder)}`, { displayName: `FOLDER ${it.name}` });
        return;
      case 'move folder':
      case 'copy folder': {
        const body = { destinationId: await this.#folder(it.parent) };
        await this.#ask('POST', `mailFolders/${await this.#folder(it.folder)}/${it.do.slice(0, 4)}`, body);
        return;
      }
      case 'delete folder':
        await this.#ask('DELETE', `mailFolders/${await this.#folder(it.folder)}`);
        return;
      case 'remove folder':
        await this.#ask('POST', `mailFolders/${await this.#folder(it.folder)}/permanentDelete`);
        return;
      case 'mark folder': {
        const path = `mailFolders/${await this.#folder(it.folder)}/updateAllMessagesReadState`;
        await this.#ask('POST', path, { isRead: it.isRead });
        return;
      }
      case 'create message': {
        const body = { subject: 'Any', isRead: it.isRead };
        await this.#ask('POST', `mailFolders/${await this.#folder(it.parent)}/messages`, body);
        return;
      }
      default:
        return this.#runOnMessage(it);
    }
  }

  async #runOnMessage(it: Extract<Step, { message: number }>): Promise<void> {
    const id = await this.#message(it.message);
    if (id === undefined) return;
    const path = `messages/${id}`;
    if (it.do === 'mark message') await this.#ask('PATCH', path, { isRead: it.isRead });
    else if (it.do === 'delete message') await this.#ask('DELETE', path);
    else if (it.do === 'remove message') await this.#ask('POST', `${path}/permanentDelete`);
    else await this.#ask('POST', `${path}/${it.do.slice(0, 4)}`, { destinationId: await this.#folder(it.parent) });
  }

  async counted(path: string): Promise<number> {
    return Number((await this.#ask('GET', path)).text);
  }
}

onBothStores('counts of folders', (bench) => {
  it('equal a count of messages and folders after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await bench.jar.reset();
        const program = new MailboxProgram(bench);
        for (const each of steps) await program.run(each);
        await bench.jar.settled();
        const folders = await program.folders();
        let total = 0;
        for (const folder of folders) {
          const path = `mailFolders/${folder.id}`;
          total += folder.totalItemCount;
          expect(folder).toMatchObject({
            totalItemCount: await program.counted(`${path}/messages/$count`),
            unreadItemCount: await program.counted(`${path}/messages/$count?$filter=isRead eq false`),
          });
        }
        expect(await program.counted('messages/$count')).toBe(total);
        const names = folders.map(({ id }) => id);
        expect(new Set(names).size).toBe(names.length);
        const root = folders[0]!;
        expect(root.childFolderCount).toBe(await program.counted(`mailFolders/${root.id}/childFolders/$count`));
      }),
      { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 100 : 8 },
    );
  });
});
