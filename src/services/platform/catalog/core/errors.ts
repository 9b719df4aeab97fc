import { ApiError, errorTable } from '../../../../kernel/http/index.ts';
import { type SecurableType, TITLES } from './privileges.ts';

export const catalogErrors = errorTable({
  METASTORE_DOES_NOT_EXIST: [404, '{reason}'],
  PRINCIPAL_DOES_NOT_EXIST: [404, 'Could not find principal with name {name}.'],
});

/** For example `CATALOG` in `CATALOG_DOES_NOT_EXIST`. */
const wordOf = (kind: SecurableType): string => TITLES[kind].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

const shown = (name: string): string => name.slice(0, 300);

export const doesNotExist = (kind: SecurableType, fullName: string): ApiError =>
  new ApiError(404, `${wordOf(kind)}_DOES_NOT_EXIST`, `${TITLES[kind]} '${shown(fullName)}' does not exist.`);

export const alreadyExists = (kind: SecurableType, fullName: string): ApiError =>
  new ApiError(409, `${wordOf(kind)}_ALREADY_EXISTS`, `${TITLES[kind]} '${shown(fullName)}' already exists`);

export const notEmpty = (kind: SecurableType, fullName: string, content: string): ApiError =>
  new ApiError(
    400,
    `${wordOf(kind)}_NOT_EMPTY`,
    `Cannot delete ${TITLES[kind].toLowerCase()} '${shown(fullName)}': it is not empty (${content}). Delete its content first, or use force=true.`,
  );
