import CssBaseline from '@mui/material/CssBaseline';
import { StrictMode } from 'react';
import { Landing } from '../features/landing/landing';
import { NetworkForm } from '../features/subscribe/network-form';
import { AppTheme } from '../theme';
import type { Toast } from '../ui/toast/toast';

interface LandingPageProps {
  onSubscribed: (toast: Toast) => void;
  onRefused: (toast: Toast) => void;
}

/** The landing page by itself. The build renders the same tree to HTML (prerender.tsx), which the browser hydrates. */
export function LandingPage({ onSubscribed, onRefused }: LandingPageProps) {
  return (
    <StrictMode>
      <AppTheme>
        <CssBaseline />
        <Landing subscribe={<NetworkForm onSubscribed={onSubscribed} onRefused={onRefused} />} />
      </AppTheme>
    </StrictMode>
  );
}
