import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { WORKSPACE_PARAM } from './api.ts';

/** The address of a place on this page, in the workspace that is shown. */
export function usePlace(): (...segments: readonly string[]) => string {
  const [workspace] = useAddressParam(WORKSPACE_PARAM);
  const query = workspace === undefined ? '' : `?${new URLSearchParams({ [WORKSPACE_PARAM]: workspace })}`;
  return (...segments) => addressOf('platform', ...segments) + query;
}

export function useGoTo(): (...segments: readonly string[]) => void {
  const go = useGo();
  const place = usePlace();
  return (...segments) => go(place(...segments));
}

interface Props {
  readonly to: readonly string[];
  readonly children: ReactNode;
}

/** A link to another place on this page. */
export function To({ to, children }: Props) {
  return <Link href={usePlace()(...to)}>{children}</Link>;
}
