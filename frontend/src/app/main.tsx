import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { Toast } from '../ui/toast/toast';
import { Pages } from './pages';
import { ShowToast, ThemeAndToasts } from './providers';
import { publicScreenAt, publicScreens } from './public-screens';
import { reportUncaughtErrors } from './report-error';

// Fetched while the app starts. A failure shows when the screen itself is opened.
const screen = publicScreenAt(location.pathname);
if (screen) publicScreens[screen]().catch(() => undefined);

/** Starts the app at the present address. `toast` tells what was just done on the landing page. */
export function startApp(place: HTMLElement, toast?: Toast): void {
  reportUncaughtErrors();
  removePrerendered(place);
  const root = createRoot(place);
  // A transition is rendered in short steps, between which a slow phone answers to touches.
  startTransition(() =>
    root.render(
      <StrictMode>
        <ThemeAndToasts>
          {toast && <ShowToast toast={toast} />}
          <Pages />
        </ThemeAndToasts>
      </StrictMode>,
    ),
  );
}

/** Removes the prerendered page that covers the app (vite-pages.ts) once a screen, or the reason why there is none, is there. */
function removePrerendered(place: HTMLElement): void {
  const cover = document.getElementById('prerendered');
  if (!cover) return;
  const observer = new MutationObserver(() => {
    if (!place.querySelector('h1, [role=alert]')) return;
    cover.remove();
    observer.disconnect();
  });
  observer.observe(place, { childList: true, subtree: true });
}
