import { act, render } from '@testing-library/react';
import { useEffect, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { client } from '../../src/api/client';
import { useLiveChanges } from '../../src/api/live/live-api';
import { askWhoIsSignedIn, usePrepareSignOut, useSession } from '../../src/api/session';
import { makeStore } from '../../src/app/store-provider';

export const SCREENS = ['lists', 'list', 'nothing', 'public'] as const;
export type ScreenName = (typeof SCREENS)[number];

interface Answer {
  data?: unknown;
  isError: boolean;
  refetch: () => unknown;
}

/** One tab of the browser, with the app's store and hooks and the queries of its screens. */
export class Tab {
  screen: ScreenName = 'lists';
  /**
   * The person whom the tab considers signed in. Null if nobody is; undefined if unknown, or if a public page is open.
   */
  person: string | null | undefined;
  isLive = true;
  /** What the screen shows, by the path of the query. */
  readonly shown = new Map<string, Answer>();
  prepareSignOut: (() => () => void) | undefined;
  private readonly channel = new BroadcastChannel('session');
  private readonly store = makeStore(this.channel);
  private readonly root = render(<Whole tab={this} />, { container: document.createElement('div') });

  draw(): void {
    this.root.rerender(<Whole tab={this} />);
  }

  Stands = ({ children }: { children: ReactNode }) => <Provider store={this.store}>{children}</Provider>;

  /** Id of the signed-in person in the tab's cache. While it is set, no sign-in form can be opened. */
  get known(): string | undefined {
    return client.endpoints.getCurrentUser.select()(this.store.getState() as never).data?.id;
  }

  /**
   * Does what the sign-in form does after the password was accepted. Retries when no answer comes, as a person would.
   */
  async askWhoIsSignedIn(): Promise<void> {
    const { isError } = await askWhoIsSignedIn(this.store.dispatch as never);
    if (isError) await this.askWhoIsSignedIn();
  }

  logOut(): void {
    const finish = this.prepareSignOut?.();
    void this.store.dispatch(client.endpoints.logout.initiate()).then(({ error }) => !error && finish?.());
  }

  async close(): Promise<void> {
    await act(async () => {
      this.root.unmount();
      this.channel.close();
    });
  }
}

function Whole({ tab }: { tab: Tab }) {
  return <tab.Stands>{tab.screen === 'public' ? null : <Guard tab={tab} />}</tab.Stands>;
}

function Guard({ tab }: { tab: Tab }) {
  const { user, error, isFetching, refetch } = useSession();
  const prepare = usePrepareSignOut();
  useEffect(() => {
    tab.person = user === null ? null : user?.id;
    tab.prepareSignOut = prepare;
    return () => {
      tab.person = undefined;
      tab.prepareSignOut = undefined;
    };
  });
  useShown(tab, '/api/auth/user', {
    data: user ?? undefined,
    isError: Boolean(error) && !isFetching && !user,
    refetch,
  });
  return user ? <SignedIn tab={tab} account={user.id} /> : null;
}

function SignedIn({ tab, account }: { tab: Tab; account: string }) {
  tab.isLive = useLiveChanges(account);
  useShown(tab, '/api/running-tasks', client.useGetRunningTasksQuery());
  if (tab.screen === 'lists') return <Lists tab={tab} />;
  return tab.screen === 'list' ? <List tab={tab} /> : null;
}

function Lists({ tab }: { tab: Tab }) {
  useShown(tab, '/api/email-lists', client.useListEmailListsQuery({ limit: 24 }));
  return null;
}

function List({ tab }: { tab: Tab }) {
  useShown(tab, '/api/email-lists/l1', client.useGetEmailListQuery({ id: 'l1' }));
  useShown(tab, '/api/email-lists/l1/subscribers', client.useListContactsQuery({ id: 'l1' }));
  return null;
}

function useShown(tab: Tab, path: string, { data, isError, refetch }: Answer): void {
  useEffect(() => {
    tab.shown.set(path, { data, isError, refetch });
    return () => void tab.shown.delete(path);
  });
}
