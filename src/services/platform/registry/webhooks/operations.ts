import { ok } from '../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import {
  createOpenWebhook,
  deleteOpenWebhook,
  getOpenWebhook,
  listOpenWebhooks,
  testOpenWebhook,
  updateOpenWebhook,
} from './open-webhooks.ts';
import { testWebhook } from './test-webhook.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

/** Webhooks of the platform; `/ml/webhooks` in the rate table. */
const row = (
  method: Operation['method'],
  verb: string,
  summary: string,
  handle: (call: PlatformCall) => Promise<object>,
): Operation => ({
  method,
  path: `/mlflow/registry-webhooks/${verb}`,
  operation: `registryWebhooks_${verb}`,
  summary,
  rated: `/ml/webhooks/${verb}`,
  bare: [`/ml/webhooks/${verb}`, `/ajax-api/2.0/mlflow/registry-webhooks/${verb}`],
  code: routeCode([], { handle: async (call) => ok(await handle(call)) }),
});

const OPEN = '/mlflow/webhooks';
const AJAX = '/ajax-api/2.0';

/** Webhooks of the open-source server. */
const openRow = (
  method: Operation['method'],
  verb: string,
  summary: string,
  handle: (call: PlatformCall) => Promise<object>,
): Operation => ({
  method,
  path: OPEN,
  operation: `mlflowWebhooks_${verb}`,
  summary,
  needs: 'admin',
  bare: [`${AJAX}${OPEN}`],
  code: routeCode([], { handle: async (call) => ok(await handle(call)) }),
});

const openRowOfOne = (
  method: Operation['method'],
  verb: string,
  summary: string,
  handle: (call: PlatformCall, id: string) => Promise<object>,
  end = '',
): Operation => ({
  method,
  path: `${OPEN}/{webhook_id}${end}`,
  operation: `mlflowWebhooks_${verb}`,
  summary,
  needs: 'admin',
  bare: [`${AJAX}${OPEN}/{webhook_id}${end}`],
  code: routeCode(['webhook_id'], { handle: async (call) => ok(await handle(call, call.params.webhook_id)) }),
});

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  row('POST', 'create', 'Creates a registry webhook', async (call) => ({ webhook: await createWebhook(call) })),
  row('GET', 'get', 'Reads a registry webhook', async (call) => ({ webhook: await getWebhook(call) })),
  row('GET', 'list', 'Lists registry webhooks', listWebhooks),
  row('PATCH', 'update', 'Changes a registry webhook', async (call) => ({ webhook: await updateWebhook(call) })),
  row('DELETE', 'delete', 'Deletes a registry webhook', async (call) => {
    await deleteWebhook(call);
    return {};
  }),
  row('POST', 'test', 'Sends a test message to a registry webhook', testWebhook),
  openRow('POST', 'create', 'Creates a webhook', async (call) => ({ webhook: await createOpenWebhook(call) })),
  openRow('GET', 'list', 'Lists webhooks', listOpenWebhooks),
  openRowOfOne('GET', 'get', 'Reads a webhook', async (call, id) => ({ webhook: await getOpenWebhook(call, id) })),
  openRowOfOne('PATCH', 'update', 'Changes a webhook', async (call, id) => ({
    webhook: await updateOpenWebhook(call, id),
  })),
  openRowOfOne('DELETE', 'delete', 'Deletes a webhook', async (call, id) => {
    await deleteOpenWebhook(call, id);
    return {};
  }),
  openRowOfOne(
    'POST',
    'test',
    'Sends a test message to a webhook',
    async (call, id) => ({ result: await testOpenWebhook(call, id) }),
    '/test',
  ),
];
