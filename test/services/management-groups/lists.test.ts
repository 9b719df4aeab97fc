import { expect, it } from 'vitest';
import { type Bench, onBothStores, type Reply, SUBSCRIPTION } from '../../support/jars.ts';
import { entities, GROUPS, group, makeGroups, namesIn, PROVIDER, TENANT, VERSION } from './groups.ts';

async function pagesFrom(bench: Bench, method: string, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const reply: Reply = await bench.call(pages.length === 0 ? method : 'GET', next);
    expect(reply.status, reply.text).toBe(200);
    pages.push(namesIn(reply));
    next = reply.body.nextLink;
  }
  return pages;
}

onBothStores('lists of management groups', (bench) => {
  it('have pages, in the order of names behind the root', async () => {
    await makeGroups(bench, { Delta: undefined, alpha: undefined, Charlie: 'alpha', bravo: 'alpha', echo: 'bravo' });
    await bench.call('PUT', group('echo', `/subscriptions/${SUBSCRIPTION}`));
    expect(await pagesFrom(bench, 'GET', `${GROUPS}?${VERSION}&$top=2`)).toEqual([
      [TENANT, 'alpha'],
      ['bravo', 'Charlie'],
      ['Delta', 'echo'],
    ]);
    const [first, all] = await Promise.all([2, 9].map((top) => bench.call('GET', `${GROUPS}?${VERSION}&$top=${top}`)));
    expect(first?.body).not.toHaveProperty('@nextLink');
    expect(all?.body).toMatchObject({ '@nextLink': null });
    expect(all?.body).not.toHaveProperty('nextLink');
    // A root group that has a document is still listed only once.
    await bench.call('PATCH', group(TENANT), { body: { displayName: 'Root' } });
    for (const top of [1, 2, 3, 6, 7])
      expect((await pagesFrom(bench, 'GET', `${GROUPS}?${VERSION}&$top=${top}`)).flat()).toEqual([
        TENANT,
        'alpha',
        'bravo',
        'Charlie',
        'Delta',
        'echo',
      ]);
  });

  it('of descendants have groups before subscriptions', async () => {
    expect(await pagesFrom(bench, 'GET', group('alpha', '/descendants', '$top=3'))).toEqual([
      ['bravo', 'Charlie', 'echo'],
      [SUBSCRIPTION],
    ]);
    const { body } = await bench.call('GET', group('alpha', '/descendants'));
    expect(body.value[0]).toEqual({
      id: `${GROUPS}/bravo`,
      type: 'Vendor.Management/managementGroups',
      name: 'bravo',
      properties: { displayName: 'bravo', parent: { id: `${GROUPS}/alpha` } },
    });
    expect(body.value[3]).toEqual({
      id: `/subscriptions/${SUBSCRIPTION}`,
      type: '/subscriptions',
      name: SUBSCRIPTION,
      properties: { displayName: 'Cloudjar', parent: { id: `${GROUPS}/echo` } },
    });
    expect(namesIn(await bench.call('GET', group('Delta', '/descendants')))).toEqual([]);
  });

  it('of entities are in the order of the tree', async () => {
    const path = `${PROVIDER}/getEntities?${VERSION}&$top=3`;
    expect(await pagesFrom(bench, 'POST', path)).toEqual([
      [TENANT, 'alpha', 'bravo'],
      ['echo', SUBSCRIPTION, 'Charlie'],
      ['Delta'],
    ]);
    const { body } = await entities(bench, '$filter=name eq %27ECHO%27');
    expect(body).toEqual({
      count: 1,
      value: [
        {
          id: `${GROUPS}/echo`,
          type: 'Vendor.Management/managementGroups',
          name: 'echo',
          properties: {
            tenantId: TENANT,
            displayName: 'echo',
            parent: { id: `${GROUPS}/bravo` },
            permissions: 'delete',
            inheritedPermissions: 'delete',
            numberOfChildren: 1,
            numberOfChildGroups: 0,
            numberOfDescendants: 1,
            parentDisplayNameChain: ['Root', 'alpha', 'bravo'],
            parentNameChain: [TENANT, 'alpha', 'bravo'],
          },
        },
      ],
    });
  });

  it.each([
    ["$filter=contains(displayName,'ravo')", ['bravo']],
    ["$filter=contains(name,'A') and not contains(name,'B')", ['alpha', 'Charlie', 'Delta']],
    ['$view=GroupsOnly&$skip=4', ['Charlie', 'Delta']],
    ['$view=SubscriptionsOnly', [SUBSCRIPTION]],
    ['$view=fullHierarchy&$skip=6', ['Delta']],
    ['$view=Audit&$skip=6', ['Delta']],
    ['groupName=ALPHA', ['alpha']],
    ['$search=ParentOnly&groupName=bravo', ['bravo']],
    ['$search=ChildrenOnly&groupName=alpha', ['bravo', 'Charlie']],
    ['$search=ParentAndFirstLevelChildren&groupName=alpha', ['alpha', 'bravo', 'Charlie']],
    ["$search=ChildrenOnly&$filter=name eq 'alpha'", ['bravo', 'Charlie']],
    ['$search=AllowedParents&groupName=bravo', [TENANT, 'Charlie', 'Delta']],
    ['$search=AllowedChildren&groupName=echo', ['Charlie', 'Delta']],
    ['$search=AllowedParents&groupName=nowhere', []],
  ])('of entities take ?%s', async (query, names) => {
    const encoded = query.replaceAll("'", '%27').replaceAll(' ', '%20');
    const reply = await entities(bench, encoded);
    expect([reply.status, namesIn(reply)]).toEqual([200, names]);
  });

  it('of entities show what was selected', async () => {
    const { body } = await entities(bench, '$select=Name,displayName,ParentChain&$filter=name eq %27echo%27');
    expect(body.value).toEqual([
      {
        id: `${GROUPS}/echo`,
        name: 'echo',
        properties: { displayName: 'echo', parentNameChain: [TENANT, 'alpha', 'bravo'] },
      },
    ]);
  });

  it.each([
    ['$filter=color eq 1', '$filter'],
    ['$search=Everything&groupName=alpha', '$search'],
    ['$search=ParentOnly', '$search'],
    ['$view=toString', '$view'],
    ['$select=secrets', '$select'],
    ['$top=0', '$top'],
    ['$top=many', '$top'],
    ['$skip=-1', '$skip'],
    ['$skiptoken=made-up', '$skiptoken'],
  ])('of entities refuse ?%s', async (query, target) => {
    const { status, body } = await entities(bench, query.replaceAll(' ', '%20'));
    expect([status, body.error.code, body.error.target]).toEqual([400, 'BadRequest', target]);
  });

  it.each(['%00', 'a%00b', 'a%2Fb', '%F0%9F%98%80', '%2E%2E', 'x'.repeat(5000), '%25', '%27%3B--'])(
    'and groups refuse the name %s or know of none',
    async (name) => {
      const statuses = [];
      for (const [method, below, body] of [
        ['GET', '', undefined],
        ['PUT', '', {}],
        ['PATCH', '', {}],
        ['DELETE', '', undefined],
        ['GET', '/descendants', undefined],
        ['PUT', '/settings/default', {}],
        ['PUT', `/subscriptions/${SUBSCRIPTION}`, undefined],
        ['GET', '/providers/Vendor.EventGrid/eventSubscriptions', undefined],
      ] as const) {
        const reply = await bench.call(method, group(name, below), body === undefined ? {} : { body });
        statuses.push(reply.status);
      }
      const other = await bench.call('GET', group('alpha', `/subscriptions/${name}`));
      expect([...statuses, other.status].filter((status) => status >= 500)).toEqual([]);
      expect(namesIn(await entities(bench, `groupName=${name}`))).toEqual([]);
    },
  );

  it('take a display name that is no whole text as it is, or not at all', async () => {
    for (const displayName of ['\ud800', 'a\udfff', '\u2028', '\u0000', '\u{1f600}']) {
      const { status } = await bench.call('PATCH', group('alpha'), { body: { displayName } });
      expect([200, 400]).toContain(status);
      expect((await bench.call('GET', group('alpha'))).status).toBe(200);
    }
    await bench.call('PATCH', group('alpha'), { body: { displayName: 'alpha' } });
  });

  it('give skip tokens that are good for the list alone', async () => {
    const { body } = await bench.call('GET', `${GROUPS}?${VERSION}&$top=2`);
    const token = new URL(body.nextLink).searchParams.get('$skiptoken');
    expect((await entities(bench, `$skiptoken=${token}`)).status).toBe(400);
    expect((await bench.call('GET', group('alpha', '/descendants', `$skiptoken=${token}`))).status).toBe(400);
  });
});
