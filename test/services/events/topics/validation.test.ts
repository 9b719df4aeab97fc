import { describe, expect, it } from 'vitest';
import { onAnyStore, SUBSCRIPTION } from '../../../support/jars.ts';
import { Grid } from './grid.ts';

const IDENTITY = `/subscriptions/${SUBSCRIPTION}/resourceGroups/ids/providers/Vendor.ManagedIdentity/userAssignedIdentities`;

onAnyStore('topics', (bench) => {
  const one = new Grid(bench, 'topics-1');
  const two = new Grid(bench, 'topics-2');

  describe('what is not valid is refused, named by its field, and changes nothing:', () => {
    const mapping = (properties: unknown, type: unknown = 'Json') => ({
      inputSchema: 'CustomEventSchema',
      inputSchemaMapping: { inputSchemaMappingType: type, properties },
    });
    const rules = (...masks: unknown[]) => ({ inboundIpRules: masks.map((ipMask) => ({ ipMask, action: 'Allow' })) });
    const P = 'properties.';

    it.each([
      ['a schema that there is not', { inputSchema: 'Other' }, `${P}inputSchema`],
      ['an access word that there is not', { publicNetworkAccess: 'Sometimes' }, `${P}publicNetworkAccess`],
      ['an empty word', { publicNetworkAccess: '' }, `${P}publicNetworkAccess`],
      ['a TLS version that there is not', { minimumTlsVersionAllowed: '1.4' }, `${P}minimumTlsVersionAllowed`],
      ['a boundary that there is not', { dataResidencyBoundary: 'Moon' }, `${P}dataResidencyBoundary`],
      [
        'a rule that denies',
        { inboundIpRules: [{ ipMask: '1.1.1.1', action: 'Deny' }] },
        `${P}inboundIpRules[0].action`,
      ],
      ['a rule without a mask', { inboundIpRules: [{ action: 'Allow' }] }, `${P}inboundIpRules[0].ipMask`],
      ['a mask that is no address', rules('10.0.0.0/8', 'home'), `${P}inboundIpRules[1].ipMask`],
      ['a mask with too many bits', rules('10.0.0.0/33'), `${P}inboundIpRules[0].ipMask`],
      ['a mask with no bits', rules('10.0.0.0/'), `${P}inboundIpRules[0].ipMask`],
      ['a mask with signed bits', rules('10.0.0.0/-1'), `${P}inboundIpRules[0].ipMask`],
      ['an IPv6 mask with too many bits', rules('fe80::/129'), `${P}inboundIpRules[0].ipMask`],
      ['more rules than allowed', rules(...Array(129).fill('10.0.0.0/8')), `${P}inboundIpRules`],
      ['a mapping of another schema', { ...mapping({}), inputSchema: 'EventGridSchema' }, `${P}inputSchemaMapping`],
      ['a mapping without a schema', { ...mapping({}), inputSchema: undefined }, `${P}inputSchemaMapping`],
      ['a mapping of no type', mapping({}, null), `${P}inputSchemaMapping.inputSchemaMappingType`],
      ['a mapping of another type', mapping({}, 'Xml'), `${P}inputSchemaMapping.inputSchemaMappingType`],
    ])('%s', async (_title, properties, target) => {
      const refused = await one.put('topics/refused', { location: 'westeurope', properties });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequest', target } } });
      expect((await one.get('topics/refused')).status).toBe(404);
      const free = await two.put('topics/refused');
      expect(free.status).toBe(201);
      expect((await two.delete('topics/refused')).status).toBe(202);
    });

    it.each([
      ['a body that is no object', '[]', 'InvalidRequestContent'],
      ['properties that are a text', { properties: 'x' }, 'InvalidRequestContent'],
      ['a flag that is a text', { properties: { disableLocalAuth: 'yes' } }, 'InvalidRequestContent'],
      ['rules that are no list', { properties: { inboundIpRules: {} } }, 'InvalidRequestContent'],
      ['a mapped field that is a text', { properties: mapping({ id: 'n' }) }, 'InvalidRequestContent'],
      ['no location', { location: undefined }, 'LocationRequired'],
      ['a location that there is not', { location: 'moon' }, 'LocationNotAvailableForResourceType'],
      ['an identity of no type', { identity: {} }, 'InvalidRequest'],
      ['an identity of another type', { identity: { type: 'Anybody' } }, 'InvalidRequest'],
      ['user-assigned identities that there are none of', { identity: { type: 'UserAssigned' } }, 'InvalidRequest'],
      [
        'an identity that is no id',
        { identity: { type: 'UserAssigned', userAssignedIdentities: { me: {} } } },
        'InvalidRequest',
      ],
      [
        'identities beside a type that has none',
        { identity: { type: 'SystemAssigned', userAssignedIdentities: { [`${IDENTITY}/a`]: {} } } },
        'InvalidRequest',
      ],
    ])('%s', async (_title, body, code) => {
      const refused = await one.put(
        'topics/refused',
        typeof body === 'string' ? body : { location: 'westeurope', ...body },
      );
      expect(refused).toMatchObject({ status: 400, body: { error: { code, message: expect.any(String) } } });
      expect((await one.get('topics/refused')).status).toBe(404);
    });

    it.each([
      'ab',
      'a'.repeat(51),
      'under_score',
      'with.dot',
      'Vendor-x',
      'microsoft-x',
      'EVENTGRID-x',
      'System-x',
      'ümlaut',
    ])('the name %s', async (name) => {
      const refused = await one.put(`topics/${encodeURIComponent(name)}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequest', target: 'name' } } });
    });

    it.each(['abc', 'a'.repeat(50), '-1-', 'vendors', 'SystemX'])('but not the name %s', async (name) => {
      expect((await one.put(`topics/${name}`)).status).toBe(201);
    });

    it.each([
      ['put', { inputSchema: 'CloudEventSchemaV1_0' }, 'properties.inputSchema'],
      ['patch', { inputSchema: 'CloudEventSchemaV1_0' }, 'properties.inputSchema'],
      ['put', mapping({ id: { sourceField: 'other' } }), 'properties.inputSchemaMapping'],
    ] as const)('by %s, what publishers send after the creation', async (method, properties, target) => {
      const before = await one.create('topics/fixed', mapping({ id: { sourceField: 'n' } }));
      const refused = await one[method]('topics/fixed', { location: 'westeurope', properties });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequest', target } } });
      expect((await one.get('topics/fixed')).body).toEqual(before);
      expect((await one.put('topics/fixed', before)).status).toBe(201);
      await bench.jar.settled();
    });
  });
});
