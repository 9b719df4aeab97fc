import { Type } from 'typebox';
import { errorTable, ok, type Route, routeOf } from '../../../../kernel/http/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import { routeCode } from '../../jar.ts';
import { ALERTS } from '../alerts.ts';
import { ALERTS_V2 } from '../alerts-v2.ts';
import { workspaceFor } from '../workspace-for.ts';
import { evaluateAlert } from './evaluate.ts';

/** Evaluates an alert immediately, like the button on its page. The platform publishes no operation for it. */

export const alertErrors = errorTable({
  AlertNotFound: [404, "The workspace {workspace} has no alert '{id}' that is not in the trash."],
});

const evaluate = routeCode(['id'], {
  body: Type.Object({ workspaceId: Type.Optional(Type.String({ minLength: 1 })) }, { additionalProperties: false }),
  bodyOptional: true,
  responses: {
    200: Type.Object({
      id: Type.String(),
      state: Type.Enum(['UNKNOWN', 'OK', 'TRIGGERED', 'ERROR']),
      notified: Type.Boolean(),
      problem: Type.Optional(Type.String()),
    }),
  },
  async handle({ jar, params: { id }, body = {} }) {
    const { id: workspace } = await workspaceFor(jar, body.workspaceId);
    return jar.store.transact(async (tx) => {
      for (const { name } of [ALERTS_V2, ALERTS]) {
        const alert = (await tx.get(objects, objectKey(workspace, name, id)))?.value;
        if (!alert || alert.trashedAt !== undefined) continue;
        const { state, notified, problem } = await evaluateAlert(tx, jar, alert);
        return ok(omitAbsent({ id, state, notified, problem }));
      }
      throw alertErrors.AlertNotFound({ workspace, id: id.slice(0, 100) });
    });
  },
});

export const alertControl: readonly Route[] = [
  routeOf(
    {
      method: 'POST',
      path: '/_jar/platform/alerts/{id}/evaluate',
      operation: 'Jar_EvaluateAlert',
      summary: 'Evaluates an alert of the data platform now',
    },
    evaluate,
  ),
];
