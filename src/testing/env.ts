import type { RunningJar } from '../jar/index.ts';
import { subscriptions } from '../kernel/arm/collections.ts';
import { applications } from '../kernel/auth/directory.ts';
import type { Jar } from '../kernel/service/jar.ts';

const SEEDED_APPLICATION = '10000000-0000-4000-8000-0000000000a1';
const SEEDED_SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';

/** Credentials for clients. Members are missing if a custom seed has no such application or subscription. */
export interface Credentials {
  readonly application?: { readonly tenantId: string; readonly clientId: string; readonly secret: string };
  readonly subscriptionId?: string;
}

export async function seededCredentials({ store, seedCredentials }: Jar): Promise<Credentials> {
  const application = (await store.get(applications, SEEDED_APPLICATION))?.value;
  const subscription = await store.get(subscriptions, SEEDED_SUBSCRIPTION);
  return {
    // If the seed set a secret, only its hash is known.
    ...(application?.public === false &&
      application.secretHash === undefined && {
        application: {
          tenantId: application.tenantId,
          clientId: application.id,
          secret: seedCredentials.applicationSecret,
        },
      }),
    ...(subscription && { subscriptionId: SEEDED_SUBSCRIPTION }),
  };
}

export interface VariablesOptions {
  readonly running: Pick<RunningJar, 'url' | 'httpsUrl' | 'adminKey'>;
  readonly credentials: Credentials;
  readonly caFile: string;
  readonly token: string | undefined;
}

/** Environment variables with which programs in other processes find the jar, trust it and sign in to it. */
export function variables({ running, credentials, caFile, token }: VariablesOptions): [string, string][] {
  const { application, subscriptionId } = credentials;
  return Object.entries({
    CLOUDJAR_URL: running.url,
    CLOUDJAR_ADMIN_KEY: running.adminKey,
    CLOUDJAR_CA: caFile,
    // Node adds the file to its own CAs; the other programs then trust only this one.
    NODE_EXTRA_CA_CERTS: caFile,
    SSL_CERT_FILE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    CURL_CA_BUNDLE: caFile,
    AZURE_AUTHORITY_HOST: running.httpsUrl,
    ARM_ENDPOINT: running.httpsUrl,
    ...(application && {
      AZURE_TENANT_ID: application.tenantId,
      AZURE_CLIENT_ID: application.clientId,
      AZURE_CLIENT_SECRET: application.secret,
    }),
    ...(subscriptionId !== undefined && { AZURE_SUBSCRIPTION_ID: subscriptionId }),
    DATABRICKS_HOST: running.url,
    MLFLOW_TRACKING_URI: running.url,
    ...(token !== undefined && { DATABRICKS_TOKEN: token, MLFLOW_TRACKING_TOKEN: token }),
  });
}
