import { ADA, APP, asUser, DEE, LIN, OTTO, sharedWith, TEAM } from '../people.ts';

export const GROUP = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a2001';
export const DATASET = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a2002';
export const DATAFLOW = { groupId: GROUP, targetDataflowId: '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a2003' };

export const DETAILS = {
  account: 'a',
  classInfo: 'c',
  database: 'db',
  domain: 'd',
  emailAddress: 'e@x.example',
  kind: 'k',
  loginServer: 'l',
  path: '/p',
  server: 's',
  url: 'https://u.example',
};

const PRODUCT = {
  name: 'Product',
  columns: [
    { name: 'Id', dataType: 'Int64' },
    { name: 'Name', dataType: 'String' },
  ],
  rows: [
    { Id: 1, Name: 'Bolt' },
    { Id: 2, Name: 'Nut' },
  ],
};

const SALE = {
  name: 'Sale',
  columns: [
    { name: 'Product', dataType: 'Int64' },
    { name: 'Amount', dataType: 'Decimal' },
  ],
  measures: [{ name: 'Total', expression: 'SUM(Sale[Amount])' }],
  rows: [{ Product: 1, Amount: 2.5 }],
};

export const PARAMETERS = [
  { name: 'Server', type: 'Text', isRequired: true, currentValue: 'one', suggestedValues: ['one', 'two'] },
  { name: 'MaxId', type: 'Number', isRequired: true, currentValue: '5' },
  { name: 'Since', type: 'Date', isRequired: false },
  { name: 'Live', type: 'Logical', isRequired: false, currentValue: 'true' },
  { name: 'At', type: 'DateTime', isRequired: false },
  { name: 'Zoned', type: 'DateTimeZone', isRequired: false },
  { name: 'Time', type: 'Time', isRequired: false },
  { name: 'Long', type: 'Duration', isRequired: false },
  { name: 'Any', type: 'Any', isRequired: false, currentValue: 'x' },
  { name: 'Bytes', type: 'Binary', isRequired: false },
];

/** A dataset with every optional property. */
export const RICH = {
  id: DATASET,
  name: 'Rich',
  description: 'With everything',
  owner: LIN.address,
  defaultRetentionPolicy: 'basicFIFO',
  defaultMode: 'Push',
  tables: [PRODUCT, SALE],
  relationships: [{ name: 'r', fromTable: 'Sale', fromColumn: 'Product', toTable: 'Product', toColumn: 'Id' }],
  datasources: [
    { datasourceType: 'Sql', connectionDetails: { server: 's', database: 'd' } },
    {
      datasourceType: 'Extension',
      name: 'old',
      connectionString: 'x=y',
      datasourceId: '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a2004',
      gatewayId: '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a2005',
      connectionDetails: DETAILS,
    },
  ],
  targetStorageMode: 'PremiumFiles',
  queryScaleOutSettings: { maxReadOnlyReplicas: -1 },
  encryption: 'InSyncWithWorkspace',
  upstreamDataflows: [DATAFLOW],
  parameters: PARAMETERS,
  users: [sharedWith(DEE.address, 'ReadWriteExplore')],
};

export const WORKSPACE = {
  id: GROUP,
  name: 'Sales',
  users: [
    asUser(ADA.address, 'Admin'),
    { identifier: LIN.address, groupUserAccessRight: 'Contributor' },
    { identifier: APP.id, principalType: 'App', groupUserAccessRight: 'Member' },
    { identifier: TEAM, principalType: 'Group', groupUserAccessRight: 'Viewer', displayName: 'Team' },
  ],
  datasets: [RICH],
};

export const SEED = {
  workspaces: [
    WORKSPACE,
    { name: 'Empty', users: [asUser(ADA.address, 'Admin')] },
    // The tenant is the first user's tenant, so the name can be used again.
    { name: 'Sales', users: [asUser(OTTO.address, 'Admin')], datasets: [] },
  ],
  myWorkspaces: [
    {
      user: ADA.address,
      datasets: [{ name: 'Mine', tables: [{ name: 'T', columns: [{ name: 'a', dataType: 'bool' }] }] }],
    },
  ],
};
