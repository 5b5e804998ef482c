import '@fontsource-variable/geist/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/data.css';
import './styles/layout.css';
import './styles/pages.css';
import './styles/overview.css';
import './styles/keys.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.ts';
import { App } from './shell/app.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <PageBoundary>
          <App />
        </PageBoundary>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
