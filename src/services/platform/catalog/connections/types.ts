/** Types of connections. `port` is the default port, for types that are reached by a driver. */
interface ConnectionType {
  /** The URL scheme. */
  readonly scheme?: string;
  readonly port?: number;
  /** Required options. */
  readonly needs?: readonly string[];
}

const database = (scheme: string, port: number): ConnectionType => ({
  scheme: `jdbc:${scheme}`,
  port,
  needs: ['host'],
});

/** Types that are reached through a vendor's API, each with options of its own. */
const SERVICES = [
  'AWS_SECRETS_MANAGER',
  'BIGQUERY',
  'CONFLUENCE',
  'DBT_PLATFORM',
  'DYNAMICS365',
  'FABRIC',
  'GA4_RAW_DATA',
  'GENERIC_LAKEFLOW_CONNECT',
  'GITHUB',
  'GLUE',
  'GOOGLE_ADS',
  'GOOGLE_DRIVE',
  'HUBSPOT',
  'JDBC',
  'JIRA',
  'KAFKA',
  'META_MARKETING',
  'NETSUITE',
  'ONEDRIVE',
  'ONELAKE',
  'OUTLOOK',
  'PALANTIR',
  'POWER_BI',
  'SALESFORCE',
  'SALESFORCE_DATA_CLOUD',
  'SALESFORCE_DATA_CLOUD_FILE_SHARING',
  'SALESFORCE_MARKETING_CLOUD',
  'SERVICENOW',
  'SFTP',
  'SHAREPOINT',
  'SLACK',
  'SLACK_AUDIT_LOGS',
  'SMARTSHEET',
  'TIKTOK_ADS',
  'WORKDAY_HCM',
  'WORKDAY_RAAS',
  'ZENDESK',
] as const;

export const CONNECTION_TYPES: Readonly<Record<string, ConnectionType>> = {
  MYSQL: database('mysql', 3306),
  POSTGRESQL: database('postgresql', 5432),
  MANAGED_POSTGRESQL: database('postgresql', 5432),
  MONGODB: database('mongodb', 27_017),
  SNOWFLAKE: database('snowflake', 443),
  REDSHIFT: database('redshift', 5439),
  SQLSERVER: database('sqlserver', 1433),
  SQLDW: database('sqlserver', 1433),
  ORACLE: database('oracle', 1521),
  TERADATA: database('teradata', 1025),
  DATABRICKS: database('databricks', 443),
  HIVE_METASTORE: {},
  HTTP: { needs: ['host'] },
  ...Object.fromEntries(SERVICES.map((name) => [name, {}])),
};
