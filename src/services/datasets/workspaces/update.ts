import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { parseEnumValue } from '../access/parse-enum-value.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { changeWorkspace } from './change.ts';
import { readName, takeName, WorkspaceName } from './name.ts';

const Body = Type.Object(
  {
    name: Type.Optional(WorkspaceName),
    defaultDatasetStorageFormat: Type.Optional(Type.String({ description: 'Small, Large' })),
  },
  { additionalProperties: false },
);

/** Every workspace is on shared capacity, so only its name can be changed. */
export const updateWorkspace = routeCode(['group'], {
  body: Body,
  async handle(call) {
    const { defaultDatasetStorageFormat: format, name: written } = call.body;
    if (format !== undefined) {
      parseEnumValue(format, ['Small', 'Large'], 'defaultDatasetStorageFormat');
      throw errors.InvalidRequest({
        reason: "'defaultDatasetStorageFormat' can be changed only for a workspace on a dedicated capacity.",
      });
    }
    const name = written === undefined ? undefined : readName(written);
    if (name !== undefined) {
      await changeWorkspace(call, 'update', async (workspace, tx) => {
        await takeName(tx, workspace.tenantId, name, workspace.id);
        return { workspace: { ...workspace, name }, data: { before: workspace.name } };
      });
    }
    return ok(undefined);
  },
});
