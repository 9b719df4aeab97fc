import { Badge, type Tone } from '../../shared/ui/badge.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  GET: 'info',
  HEAD: 'info',
  POST: 'success',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'failure',
};

export const Method = ({ name }: { readonly name: string }) => <Badge tone={TONES[name] ?? 'neutral'}>{name}</Badge>;
