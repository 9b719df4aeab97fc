import { resourceRoutes } from '../../../kernel/arm/index.ts';
import type { OpenService } from '../../../kernel/service/index.ts';
import { foreignActions } from './actions.ts';
import { foreignDefinition } from './definition.ts';
import type { ForeignType } from './rows.ts';

/** The routes and deletion hooks of record types. */
export function openForeign(types: readonly ForeignType[]): Required<Pick<OpenService, 'routes' | 'onDelete'>> {
  const definitions = types.map(foreignDefinition);
  return {
    routes: [...definitions.flatMap(resourceRoutes), ...foreignActions(types)],
    onDelete: Object.fromEntries(definitions.flatMap(({ type, onDelete }) => (onDelete ? [[type, onDelete]] : []))),
  };
}
