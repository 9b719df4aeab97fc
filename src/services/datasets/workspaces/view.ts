import { Type } from 'typebox';
import type { Workspace } from '../collections.ts';

export const WorkspaceView = Type.Object({
  id: Type.String(),
  isReadOnly: Type.Boolean(),
  isOnDedicatedCapacity: Type.Boolean(),
  type: Type.String(),
  name: Type.String(),
});

/** The workspace as its members see it. */
export const workspaceView = ({ id, name }: Workspace) => ({
  id,
  isReadOnly: false,
  isOnDedicatedCapacity: false,
  type: 'Workspace',
  name,
});
