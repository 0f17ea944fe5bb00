import './mantine.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { Fault } from './operations/fault';
import './texts/markup';
import { endOldDrafts } from './ui/kept-drafts';
import { ToastArea } from './ui/toast';
import './console.css';

const theme = createTheme({
  primaryColor: 'blue',
  // Darker shades keep the contrast of WCAG AA for texts on buttons and for links.
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
});

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refused call is refused again; only a lost connection is worth another try.
      retry: (count, error) => !(error instanceof Fault) && count < 2,
    },
  },
});

endOldDrafts();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <ToastArea />
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
