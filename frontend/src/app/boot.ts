/**
 * The first script: at / a visitor who is not signed in gets the landing page, which is a small bundle of its own;
 * everything else is the application.
 */
async function boot(): Promise<void> {
  const place = document.getElementById('root');
  if (!place) throw new Error('The page has no root');
  if (location.pathname === '/') {
    const landing = import('./landing');
    const answer = await fetch('/api/auth/user', { credentials: 'include' }).catch(() => undefined);
    // An answer that nobody reads keeps its connection.
    void answer?.text().catch(() => undefined);
    if (answer?.status === 401) return (await landing).showLanding(place);
  }
  (await import('./main')).startApp(place);
}

void boot();
