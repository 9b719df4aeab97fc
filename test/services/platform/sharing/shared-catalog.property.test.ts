import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { UC } from '../catalog/people.ts';
import { makeTable } from '../catalog/tables/table-writer.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';

const TABLES = ['a', 'b', 'c'] as const;
const table = fc.constantFrom(...TABLES);
const alias = fc.constantFrom('x.a', 'x.b', 'y.a', 'y.c');
const command = fc.oneof(
  fc.record({ do: fc.constant('add' as const), table, alias }),
  fc.record({ do: fc.constant('rename' as const), table, alias }),
  fc.record({ do: fc.constant('remove' as const), table }),
  fc.record({ do: fc.constant('whole' as const), schema: fc.constantFrom('x', 'z') }),
  fc.record({ do: fc.constant('part' as const) }),
  fc.record({ do: fc.constant('drop' as const), table }),
  fc.record({ do: fc.constant('make' as const), table }),
  fc.record({ do: fc.constant('revoke' as const) }),
  fc.record({ do: fc.constant('give' as const) }),
  fc.record({ do: fc.constant('look' as const), alias }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** What a recipient has to see, kept as a plain program would. */
class Model {
  readonly existing = new Set<string>(TABLES);
  /** By table: the alias, and whether the table is still the one that was shared. */
  readonly aliases = new Map<string, { alias: string; isThere: boolean }>();
  whole: string | undefined;
  given = true;

  seen(): readonly string[] {
    if (!this.given) return [];
    const names = new Set([...this.aliases.values()].flatMap(({ alias: as, isThere }) => (isThere ? [as] : [])));
    if (this.whole !== undefined) for (const each of this.existing) names.add(`${this.whole}.${each}`);
    return [...names].sort();
  }
}

onAnyStore('data platform: catalogs of shares, whatever the provider does', (bench) => {
  it('show what is shared at the moment, and nothing else', { timeout: 120_000 }, async () => {
    const runs = process.env.CLOUDJAR_SOAK === '1' ? 60 : 6;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), async (commands) => {
        await bench.jar.reset();
        await withoutRates(bench);
        const [ask, there] = [await person(bench), await person(bench, 'other')];
        await good(ask('POST', `${UC}/schemas`, { catalog_name: 'main', name: 'own' }));
        for (const each of TABLES) await makeTable(ask, `main.own.${each}`);
        await good(ask('POST', `${UC}/shares`, { name: 's' }));
        const { global_metastore_id: id } = await good(there('GET', `${UC}/metastore_summary`));
        const other = { authentication_type: 'DATABRICKS', data_recipient_global_metastore_id: id };
        await good(ask('POST', `${UC}/recipients`, { name: 'r', ...other }));
        const model = new Model();
        await grant(ask, true);
        const [{ name: provider_name }] = (await good(there('GET', `${UC}/providers`))).providers;
        await good(there('POST', `${UC}/catalogs`, { name: 'shared', provider_name, share_name: 's' }));
        for (const each of commands) {
          if (each.do === 'look') {
            const { status } = await there('GET', `${UC}/tables/shared.${each.alias}`);
            expect(status === 200, JSON.stringify(each)).toBe(model.seen().includes(each.alias));
          } else await run(ask, model, each);
        }
        expect(await listed(there)).toEqual(model.seen());
      }),
      { numRuns: runs },
    );
  });
});

const grant = (ask: Ask, isGiven: boolean) =>
  good(
    ask('PATCH', `${UC}/shares/s/permissions`, {
      changes: [{ principal: 'r', [isGiven ? 'add' : 'remove']: ['SELECT'] }],
    }),
  );

/** Does it, and where the provider is not refused, in the model as well. */
async function run(ask: Ask, model: Model, command: Exclude<Command, { do: 'look' }>): Promise<void> {
  const update = async (action: string, data_object: object): Promise<boolean> =>
    (await ask('PATCH', `${UC}/shares/s`, { updates: [{ action, data_object }] })).status === 200;
  const single = (name: string, rest: object = {}) => ({
    name: `main.own.${name}`,
    data_object_type: 'TABLE',
    ...rest,
  });
  switch (command.do) {
    case 'add':
    case 'rename': {
      const { table: of, alias: shared_as } = command;
      const isDone = await update(command.do === 'add' ? 'ADD' : 'UPDATE', single(of, { shared_as }));
      if (isDone) model.aliases.set(of, { alias: shared_as, isThere: true });
      return;
    }
    case 'remove':
      if (await update('REMOVE', single(command.table))) model.aliases.delete(command.table);
      return;
    case 'whole': {
      const object = { name: 'main.own', data_object_type: 'SCHEMA', shared_as: command.schema };
      if (await update('ADD', object)) model.whole = command.schema;
      return;
    }
    case 'part':
      if (await update('REMOVE', { name: 'main.own', data_object_type: 'SCHEMA' })) model.whole = undefined;
      return;
    case 'drop': {
      if ((await ask('DELETE', `${UC}/tables/main.own.${command.table}`)).status !== 200) return;
      model.existing.delete(command.table);
      const shared = model.aliases.get(command.table);
      if (shared) shared.isThere = false;
      return;
    }
    case 'make':
      if (model.existing.has(command.table)) return;
      await makeTable(ask, `main.own.${command.table}`);
      model.existing.add(command.table);
      return;
    case 'revoke':
    case 'give':
      await grant(ask, command.do === 'give');
      model.given = command.do === 'give';
  }
}

/** Every table in the catalog, by way of its schemas. */
async function listed(there: Ask): Promise<readonly string[]> {
  const { schemas } = await good(there('GET', `${UC}/schemas?catalog_name=shared`));
  const found: string[] = [];
  for (const { name: schema } of schemas) {
    const { tables } = await good(there('GET', `${UC}/tables?catalog_name=shared&schema_name=${schema}`));
    found.push(...tables.map(({ name }: { name: string }) => `${schema}.${name}`));
  }
  return found.sort();
}
