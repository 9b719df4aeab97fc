import { Component, type ComponentType, lazy, type ReactNode } from 'react';
import type { Page } from '../shared/page.ts';
import { Button } from '../shared/ui/button.tsx';
import { Empty, Notice } from '../shared/ui/notice.tsx';

const views = new Map<Page, ComponentType>();

function viewOf(page: Page): ComponentType {
  const known = views.get(page);
  if (known) return known;
  const view = lazy(page.view);
  views.set(page, view);
  return view;
}

export function PageView({ page }: { readonly page: Page | undefined }) {
  if (!page)
    return <Empty title="There is no such page">The address is of another version of the console, or misspelt.</Empty>;
  const View = viewOf(page);
  return (
    <Boundary key={page.path} title={page.title}>
      <View />
    </Boundary>
  );
}

interface BoundaryProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A mistake in a page leaves the rest of the console alone. */
class Boundary extends Component<BoundaryProps, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Notice
        tone="failure"
        title={`The page ${this.props.title} has failed.`}
        actions={<Button onPress={() => location.reload()}>Load again</Button>}
      >
        {error.message}
      </Notice>
    );
  }
}
