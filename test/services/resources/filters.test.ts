import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { type Bench, onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { WIDGETS } from './widgets.ts';

const V = 'api-version=2022-09-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const RESOURCES = `/subscriptions/${SUBSCRIPTION}/resources`;

interface Named {
  readonly name: string;
}

async function fill(bench: Bench): Promise<void> {
  const group = (name: string, location: string, tags: Record<string, string>) =>
    bench.call('PUT', `${GROUPS}/${name}?${V}`, { body: { location, tags } });
  await group('Alpha', 'eastus', { env: 'test', team: 'Red' });
  await group('beta', 'westeurope', { env: 'live', Team: 'blue' });
  await group('gamma', 'eastus', {});
  const widget = (owner: string, name: string, location: string, tags: Record<string, string>) =>
    bench.call('PUT', `${GROUPS}/${owner}/providers/Vendor.Test/widgets/${name}?api-version=2024-01-01`, {
      body: { location, tags, properties: { size: 1 } },
    });
  await widget('Alpha', 'Saw-1', 'eastus', { env: 'test' });
  await widget('Alpha', 'saw-2', 'westeurope', {});
  await widget('beta', 'drill', 'westeurope', { env: 'test', shelf: 'top' });
}

onBothStores(
  'filters of the management lists',
  (bench) => {
    const find = async (list: string, filter: string, more = ''): Promise<string> => {
      const reply = await bench.call('GET', `${list}?${V}&$filter=${encodeURIComponent(filter)}${more}`);
      expect([filter, reply.status]).toEqual([filter, 200]);
      return reply.body.value.map(({ name }: Named) => name).join(' ');
    };

    it('find groups by their tags and names', async () => {
      await fill(bench);
      const table: readonly (readonly [string, string])[] = [
        ["tagName eq 'env'", 'Alpha beta'],
        ["TAGNAME EQ 'ENV'", 'Alpha beta'],
        ["'env' eq tagName", 'Alpha beta'],
        ["tagName eq 'env' and tagValue eq 'test'", 'Alpha'],
        ["tagValue eq 'test' and tagName eq 'env'", 'Alpha'],
        ["tagName eq 'env' and tagValue eq 'TEST'", ''],
        ["tagName eq 'team' and tagValue eq 'test'", ''],
        ["startswith(tagName, 'TE')", 'Alpha beta'],
        ["startswith(tagName,'t') and tagValue eq 'blue'", 'beta'],
        ["tagName eq 'env' or name eq 'GAMMA'", 'Alpha beta gamma'],
        ["(tagName eq 'env' and tagValue eq 'live') or (tagName eq 'team' and tagValue eq 'Red')", 'Alpha beta'],
        ["not (tagName eq 'env')", 'gamma'],
        ["tagName in ('shelf','Team')", 'Alpha beta'],
        ["name eq 'ALPHA'", 'Alpha'],
        ["location eq 'eastus' and not (tagName eq 'env')", 'gamma'],
        ["tagName eq 'team' and not (tagValue eq 'blue')", 'Alpha'],
        ["tagName eq 'team' and not (tagName eq 'env' and tagValue eq 'live')", 'Alpha'],
        ["substringof('am', name)", 'gamma'],
        [' ', 'Alpha beta gamma'],
      ];
      for (const [filter, names] of table) {
        const found = await find(GROUPS, `${filter}`);
        expect([
          filter,
          found
            .split(' ')
            .filter((name) => /^(alpha|beta|gamma)$/i.test(name))
            .join(' '),
        ]).toEqual([filter, names]);
      }
    });

    it('find resources of one type, in a group and in a subscription', async () => {
      const V_TYPE = 'api-version=2024-01-01';
      const ask = async (list: string, filter: string): Promise<string> => {
        const reply = await bench.call('GET', `${list}?${V_TYPE}&$filter=${encodeURIComponent(filter)}`);
        return reply.status === 200 ? reply.body.value.map(({ name }: Named) => name).join(' ') : reply.body.error.code;
      };
      const everywhere = `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Test/widgets`;
      const inAlpha = `${GROUPS}/Alpha/providers/Vendor.Test/widgets`;
      expect(await ask(everywhere, "tagName eq 'env'")).toBe('Saw-1 drill');
      expect(await ask(inAlpha, "tagName eq 'env'")).toBe('Saw-1');
      expect(await ask(inAlpha, "location eq 'westeurope' or name eq 'nobody'")).toBe('saw-2');
      expect(await ask(everywhere, 'name eq')).toBe('InvalidFilterInQueryString');
    });

    it('find resources by type, name, region, group and tags', async () => {
      await fill(bench);
      const table: readonly (readonly [string, string])[] = [
        ["resourceType eq 'Vendor.Test/widgets'", 'Saw-1 saw-2 drill'],
        ["resourceType eq 'microsoft.test/WIDGETS'", 'Saw-1 saw-2 drill'],
        ["resourceType in ('Microsoft.Test/widgets','Vendor.None/x')", 'Saw-1 saw-2 drill'],
        ["resourceType ne 'Vendor.Test/widgets'", ''],
        ["name eq 'SAW-1'", 'Saw-1'],
        ["startswith(name,'saw')", 'Saw-1 saw-2'],
        ["substringof('RIL', name)", 'drill'],
        ["resourceType eq 'Vendor.Test/widgets' and location eq 'westeurope'", 'saw-2 drill'],
        ["location eq 'eastus' or name eq 'drill'", 'Saw-1 drill'],
        ["resourceGroup eq 'ALPHA'", 'Saw-1 saw-2'],
        ["tagName eq 'env' and tagValue eq 'test' and resourceGroup eq 'beta'", 'drill'],
        ["startswith(tagName,'sh')", 'drill'],
      ];
      for (const [filter, names] of table) expect([filter, await find(RESOURCES, filter)]).toEqual([filter, names]);
      expect(await find(`${GROUPS}/Alpha/resources`, "startswith(name,'s')")).toBe('Saw-1 saw-2');
      expect(await find(`${GROUPS}/beta/resources`, "startswith(name,'s')")).toBe('');
      expect(await find(RESOURCES, "name ne 'x'", '&$orderby=location desc,name')).toBe('drill saw-2 Saw-1');
    });

    it('page through what they find', async () => {
      await fill(bench);
      const names: string[] = [];
      let next: string | undefined =
        `${RESOURCES}?${V}&$top=1&$filter=${encodeURIComponent("startswith(tagName,'e')")}`;
      while (next !== undefined) {
        const { body } = await bench.call('GET', next);
        names.push(...body.value.map(({ name }: Named) => name));
        next = body.nextLink;
      }
      expect(names).toEqual(['Saw-1', 'drill']);
    });

    describe('refuse with the place', () => {
      it.each([
        ["tagName eq 'a' and tagName eq 'b'", "'tagName' is given twice; only one tag can be matched at position 27"],
        ["tagValue eq 'b'", "'tagValue' needs 'tagName' beside it at position 9"],
        ["tagName ne 'a'", "tags can be compared only with 'eq' and functions at position 8"],
        ['tagName eq name', "'tagName' and 'tagValue' cannot be mixed with other names here at position 11"],
        ['tagName is x', "expected an operator or the end at position 8, before 'is x'"],
        [
          "nope eq 'x'",
          "there is no property 'nope'; use one of name, location, tags at position 0, before 'nope eq 'x''",
        ],
        ['name gt 5', "'name', a string, cannot be compared with a number at position 5"],
        ['('.repeat(101), 'more than 100 nested levels at position 101'],
      ])('%s', async (filter, reason) => {
        const reply = await bench.call('GET', `${GROUPS}?${V}&$filter=${encodeURIComponent(filter)}`);
        expect(reply).toMatchObject({
          status: 400,
          body: { error: { code: 'InvalidFilterInQueryString', target: '$filter' } },
        });
        expect(reply.body.error.message).toContain(`The '$filter' is not valid: ${reason}`);
        expect(reply.body.error.message).toMatch(/\.$/);
      });

      it('an order that the list does not have', async () => {
        const reply = await bench.call('GET', `${RESOURCES}?${V}&$orderby=name,nope`);
        expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidParameter', target: '$orderby' } } });
        expect(reply.body.error.message).toContain('at position 5');
      });
    });
  },
  { services: [...SERVICES, WIDGETS] },
);
