import CssBaseline from '@mui/material/CssBaseline';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { LoginCard } from '../features/auth/login-screen';
import { DocumentLink, NavigationProvider } from '../lib/navigation';
import { routes } from '../lib/routes';
import { type ScreenHeader, screenHeaders } from '../lib/screen-headers';
import { AppTheme } from '../theme';
import { LandingPage } from './landing-page';
import { AppSkeleton } from './layouts/app-skeleton';
import { SkipLink } from './layouts/main-area';
import { PublicLayout } from './layouts/public-layout';
import { makeStore } from './store-provider';

const nothing = () => undefined;

/** HTML of the landing page, for the page's root: the browser hydrates it. Run by the build, in Node. */
export const landingHtml = (): string => renderToString(<LandingPage onSubscribed={nothing} onRefused={nothing} />);

/** HTML of the application before its scripts have run. */
const applicationHtml = (header?: ScreenHeader): string =>
  renderToString(
    <AppTheme>
      <CssBaseline />
      <AppSkeleton header={header} />
    </AppTheme>,
  );

export const screenHtml = (): string => applicationHtml();
export const dashboardHtml = (): string => applicationHtml(screenHeaders.dashboard);
export const listsHtml = (): string => applicationHtml(screenHeaders.lists);
export const historyHtml = (): string => applicationHtml(screenHeaders.history);
export const sendHtml = (): string => applicationHtml(screenHeaders.send);

/**
 * HTML of the sign-in page as it looks before it can be used. Its fields are disabled: what was typed into them would
 * be lost.
 */
export const loginHtml = (): string =>
  renderToString(
    <AppTheme>
      <CssBaseline />
      <Provider store={makeStore()}>
        <NavigationProvider value={{ pathname: routes.login.path, search: '', go: nothing, Link: DocumentLink }}>
          <fieldset disabled style={{ display: 'contents' }}>
            <SkipLink />
            <PublicLayout>
              <LoginCard />
            </PublicLayout>
          </fieldset>
        </NavigationProvider>
      </Provider>
    </AppTheme>,
  );
