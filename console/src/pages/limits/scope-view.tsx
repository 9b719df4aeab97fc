import { CopyId } from '../../shared/ui/copy.tsx';
import { Soft } from '../../shared/ui/layout.tsx';
import type { Scope } from './limit.ts';

/** Who a scope is, a line for each part. */
export function ScopeView({ scope }: { readonly scope: Scope | undefined }) {
  const parts = Object.entries(scope ?? {});
  if (parts.length === 0) return 'everyone';
  return parts.map(([part, value]) => (
    <div key={part}>
      <Soft>{part}</Soft> <CopyId id={value} length={14} />
    </div>
  ));
}
