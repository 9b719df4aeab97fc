import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { withJar } from '../support/jars.ts';

const S = '/subscriptions/10000000-0000-4000-8000-0000000000f1';
const PATHS = `GET /subscriptons
GET ${S}/resurceGroups
GET ${S}/resourceGroups/g/resurces
GET ${S}/loctions
GET /tennants
POST ${S}/providers/Vendor.Storage/registr
GET ${S}/provders
GET ${S}/resourceGroups/g/provders/Vendor.ContainerInstance/containerGroups/c
GET ${S}/resourceGroups/g/providers/Vendor.ContainrInstance/containerGroups/c
GET ${S}/resourceGroups/g/providers/Vendor.ContainerInstance/containerGroup/c
POST ${S}/resourceGroups/g/providers/Vendor.ContainerInstance/containerGroups/c/strt
GET ${S}/resourceGroups/g/providers/Vendor.Network/virtualNetworks/v
GET ${S}/resourceGroups/g/providers/Microsoft.ContainerInstance/containerGroups/c
GET ${S}/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/c
GET ${S}/providers/Vendor.Nothing
GET /providers/Vendor.Management/managmentGroups
GET /providers/Vendor.Management/managementGroups/g/descendents
GET /provider/Vendor.Subscription/aliases
GET /providers/Vendor.Subscription/alias
POST ${S}/providers/Vendor.Subscription/cancl
GET /providers/Vendor.Billing/billingAcounts
GET ${S}/resourceGroups/g/providers/Vendor.EventGrid/topcs
POST ${S}/resourceGroups/g/providers/Vendor.EventGrid/topics/t/listKey
GET ${S}/resourceGroups/g/providers/Vendor.EventGrid/topics/t/providers/Vendor.EventGrid/eventSubscription
GET ${S}/resourceGroups/g/providers/Vendor.DataShare/acounts
GET /common/oauth2/tken
POST /10000000-0000-4000-8000-000000000001/oauth2/v2.0/tokn
GET /common/.well-known/openid-configuraton
GET /common/discovry/keys
POST /evnts/eastus/t/api/events
POST /events/eastus/t/api/event
POST /api/evnts
GET /eventsubscription/x/validate
GET /api/v2.0/companees
GET /api/v2.0/companies(10000000-0000-4000-8000-000000000001)/custmers
GET /api/v2.0/companies(10000000-0000-4000-8000-000000000001)/customers(10000000-0000-4000-8000-000000000001)/paymentTrm
GET /api/v3.0/companies
GET /api/v2/companies
GET /api/companies
GET /v2.0/production/ap/v2.0/companies
POST /detct
GET /langages
POST /translator/text/v3.0/detct
POST /sts/v1.0/isueToken
POST /dictionary/lokup
GET /v0.1/aps
GET /v0.1/apps/o/a/relases
GET /v0.1/orgs/o/tems
GET /v0.1/usr
GET /v1.0/myorg/datsets
GET /v1.0/myorg/groups/g/datset
POST /v1.0/myorg/datasets/d/executeQuery
GET /v1.0/myrg/datasets
GET /v1.0/me/mesages
GET /me/mesages
GET /me/messages
GET /v1.0/me/mailFolder/inbox/messages
GET /v1.0/users/admin@x/calender
GET /v1.0/usrs
POST /v1.0/$bach
GET /beta/me/evnts
GET /v1.0/subscription
POST /v1.0/subscriptions/x/reauthorise
GET /v3.0/me/messages
GET /api/2.0/clusters/lst
GET /api/2.0/clustrs/list
GET /clusters/list
GET /api/2.0/clusters
GET /api/2.1/job/list
GET /api/2.2/jobs/runs/lst
GET /api/2.0/unity-catalog/tables
GET /api/2.1/unity-catalog/tabls
PUT /api/2.0/sql/statements
GET /api/2.0/preview/scim/v2/Usrs
GET /api/2.O/clusters/list
GET /delta-sharing/metastores/x/shars
GET /oidc/v1/tken
POST /api/2.0/mlflow/runs/creat
GET /_jar/helth
GET /_jar/clok
POST /_jar/clock/advnce
GET /_jar/limit
GET /_jar/mail/mailboxs
GET /jar/health
GET /favicon.ico
GET /foo/bar
GET /
DELETE /subscriptions
GET /owa/x/y/z/nothing`.split('\n');
withJar(
  (bench) => {
    test('probe', async () => {
      const lines: string[] = [];
      for (const line of PATHS) {
        const [method = '', path = ''] = line.split(' ');
        const began = performance.now();
        const r = await bench.call(method, path, { token: null });
        lines.push(`${line}\n   ${r.status} ${(performance.now() - began).toFixed(0)}ms ${r.text.slice(0, 700)}`);
      }
      writeFileSync('/tmp/teach/probe.txt', lines.join('\n'));
    }, 60000);
  },
  { services: SERVICES, namespace: [] },
);
