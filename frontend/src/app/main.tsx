import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { Toast } from '../ui/toast/toast';
import { Pages } from './pages';
import { ShowToast, ThemeAndToasts } from './providers';
import { publicScreenAt, publicScreens } from './public-screens';
import { reportUncaughtErrors } from './errors/report-error';

// Fetched while the app starts. If this fails, the error shows when the screen itself is opened.
const screen = publicScreenAt(location.pathname);
if (screen) publicScreens[screen]().catch(() => undefined);

/** Starts the app at the current URL. `toast` reports what was just done on the landing page. */
export function startApp(place: HTMLElement, toast?: Toast): void {
  reportUncaughtErrors();
  removePrerendered(place);
  const root = createRoot(place);
  // A transition is rendered in short steps, so that a slow phone can respond to touches in between.
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

/** Removes the prerendered page that covers the app (vite-pages.ts) once a screen or an error is shown. */
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
