import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { contextOf } from '../context.ts';
import { routeCode } from '../jar.ts';

const ParameterView = Type.Object({
  name: Type.String(),
  type: Type.String(),
  isRequired: Type.Boolean(),
  currentValue: Type.Optional(Type.String()),
  suggestedValues: Type.Optional(Type.Array(Type.String())),
});

export const listParameters = routeCode(['dataset'], {
  responses: { 200: Type.Object({ value: Type.Array(ParameterView) }) },
  async handle(call) {
    const { id, parameters = [] } = await findDataset(call, call.params.dataset);
    return ok({ ...contextOf(call, `datasets(${id})/parameters`), value: parameters });
  },
});
