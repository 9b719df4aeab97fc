import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blobPieces } from '../../../../src/services/platform/blobs/collections.ts';
import { treeNodes } from '../../../../src/services/platform/tree/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { eventually } from '../../../support/eventually.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import { base64, form, withoutRates } from './support.ts';

const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
const command = fc.oneof(
  fc.record({ do: fc.constant('put' as const), path, overwrite: fc.boolean(), length: fc.constantFrom(0, 5, 250_000) }),
  fc.record({ do: fc.constant('mkdirs' as const), path }),
  fc.record({ do: fc.constant('move' as const), path, to: path }),
  fc.record({ do: fc.constant('delete' as const), path, recursive: fc.boolean() }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** A reference model of a file system: a path is a directory, or a file with a length. */
class Model {
  readonly entries = new Map<string, number | 'directory'>();

  above(of: string): string[] {
    const names = of.split('/').slice(1, -1);
    return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
  }

  below(of: string): string[] {
    return [...this.entries.keys()].filter((each) => each.startsWith(`${of}/`));
  }

  #isBlocked(of: string): boolean {
    return this.above(of).some((each) => typeof this.entries.get(each) === 'number');
  }

  #makeAbove(of: string): void {
    for (const each of this.above(of)) this.entries.set(each, 'directory');
  }

  /** Whether it succeeds. */
  run(each: Command): boolean {
    const there = this.entries.get(each.path);
    if (each.do === 'put') {
      if (this.#isBlocked(each.path) || there === 'directory' || (there !== undefined && !each.overwrite)) return false;
      this.#makeAbove(each.path);
      this.entries.set(each.path, each.length);
    } else if (each.do === 'mkdirs') {
      if (this.#isBlocked(each.path) || typeof there === 'number') return false;
      this.#makeAbove(each.path);
      this.entries.set(each.path, 'directory');
    } else if (each.do === 'delete') {
      if (!each.recursive && this.below(each.path).length > 0) return false;
      for (const gone of [each.path, ...this.below(each.path)]) this.entries.delete(gone);
    } else {
      const isWithin = each.to.startsWith(`${each.path}/`);
      if (there === undefined || this.#isBlocked(each.to) || this.entries.has(each.to) || isWithin) return false;
      const moved = [each.path, ...this.below(each.path)].map((old) => [old, this.entries.get(old)] as const);
      for (const [old] of moved) this.entries.delete(old);
      this.#makeAbove(each.to);
      for (const [old, value] of moved) this.entries.set(each.to + old.slice(each.path.length), value as number);
    }
    return true;
  }
}

const probe = new JarProbe();

async function send(ask: Ask, each: Command): Promise<number> {
  const body = {
    put: () => ({
      path: each.path,
      contents: base64('x'.repeat('length' in each ? each.length : 0)),
      overwrite: 'overwrite' in each && each.overwrite,
    }),
    mkdirs: () => ({ path: each.path }),
    move: () => ({ source_path: each.path, destination_path: 'to' in each ? each.to : '' }),
    delete: () => ({ path: each.path, recursive: 'recursive' in each && each.recursive }),
  }[each.do]();
  return (await ask('POST', `/dbfs/${each.do}`, body)).status;
}

async function everything(ask: Ask, directory = '/'): Promise<[string, number | 'directory'][]> {
  const { files } = await good(ask('GET', `/dbfs/list?path=${directory}`));
  const found: [string, number | 'directory'][] = [];
  for (const { path: at, is_dir, file_size } of files) {
    found.push([at, is_dir ? 'directory' : file_size]);
    if (is_dir) found.push(...(await everything(ask, at)));
  }
  return found;
}

onBothStores(
  'file system: compared with a reference model',
  (bench) => {
    const left = async () => [await probe.jar.store.count(treeNodes), await probe.jar.store.count(blobPieces)];

    it('agrees with a model after any sequence of operations, and keeps no deleted data', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
          await bench.jar.reset();
          await withoutRates(bench);
          const ask = await person(bench);
          const model = new Model();
          for (const each of commands) {
            const status = await send(ask, each);
            expect(status === 200, `${JSON.stringify(each)}: ${status}`).toBe(model.run(each));
          }
          expect((await everything(ask)).toSorted()).toEqual([...model.entries].toSorted());
          const pieces = [...model.entries.values()].map((value) =>
            typeof value === 'number' ? Math.ceil(value / (192 * 1024)) : 0,
          );
          const sum = pieces.reduce((total, each) => total + each, 0);
          await eventually(async () => expect(await left()).toEqual([model.entries.size, sum]));
        }),
        { numRuns: 15 },
      );
    });

    it('a directory of many files moves and goes in one call, and uploads that fail leave nothing', async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      const ask = await person(bench);
      const paths = Array.from({ length: 300 }, (_, i) => `/many/${i % 7}/${i}`);
      for (let i = 0; i < paths.length; i += 50)
        await Promise.all(
          paths.slice(i, i + 50).map((each) => good(ask('POST', '/dbfs/put', { path: each, contents: base64(each) }))),
        );
      await good(ask('POST', '/dbfs/move', { source_path: '/many', destination_path: '/moved/here' }));
      const { data } = await good(ask('GET', '/dbfs/read?path=/moved/here/3/10'));
      expect(Buffer.from(data, 'base64').toString()).toBe('/many/3/10');
      expect(await left()).toEqual([309, 300]);
      await good(ask('POST', '/dbfs/delete', { path: '/moved', recursive: true }));
      expect(await everything(ask)).toEqual([]);
      await eventually(async () => expect(await left()).toEqual([0, 0]));

      const big = 'x'.repeat(3_000_000);
      const { body, headers } = form({ path: 'relative' }, { name: 'contents', content: big });
      expect((await ask('POST', '/dbfs/put', body, headers)).status).toBe(400);
      expect((await ask('POST', '/dbfs/put', body.slice(0, -100), headers)).status).toBe(400);
      const { handle } = await good(ask('POST', '/dbfs/create', { path: '/idle' }));
      await good(ask('POST', '/dbfs/add-block', { handle, data: base64('x') }));
      await bench.jar.clock.advance('11m');
      await eventually(async () => expect(await left()).toEqual([0, 0]));
    });
  },
  { services: [...SERVICES, probe.service] },
);
