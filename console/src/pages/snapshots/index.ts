import { Camera } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'snapshots',
  title: 'Snapshots',
  group: 'jar',
  letter: 's',
  icon: Camera,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
