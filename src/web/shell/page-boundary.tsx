import { Component, type ReactNode, Suspense } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/lists/empty-state.tsx';
import { Loading } from '../ui/progress.tsx';
import { Page } from './page.tsx';

interface PageBoundaryProps {
  readonly children: ReactNode;
}

interface PageBoundaryState {
  readonly hasFailed: boolean;
}

/**
 * Keeps the shell while the code of a page loads, and when that cannot be loaded or the page fails.
 * Its key is the name of the page, so that other pages can still be opened.
 */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override readonly state: PageBoundaryState = { hasFailed: false };

  static getDerivedStateFromError(): PageBoundaryState {
    return { hasFailed: true };
  }

  override render() {
    if (this.state.hasFailed) return <PageFailed />;
    return <Suspense fallback={<Loading label="Loading the page" lines={12} />}>{this.props.children}</Suspense>;
  }
}

// Helpers

function PageFailed() {
  return (
    <Page title="This page could not be loaded">
      <EmptyState title="The page failed, or its files are missing">
        <p>Check your connection and reload. If it fails again, the service may be updating.</p>
        <p>
          <Button variant="main" onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      </EmptyState>
    </Page>
  );
}
