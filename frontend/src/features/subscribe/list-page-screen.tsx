import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { isApiError } from '../../api/api-error';
import { AppLink, usePathPart } from '../../lib/navigation';
import { useDocumentTitle } from '../../lib/product';
import { routes } from '../../lib/routes';
import { IconSearch } from '../../ui/icons';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion } from '../../ui/loading/skeletons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { messages, usePublicList, type PublicList } from './api';
import { SubscribeForm } from './subscribe-form';

/** The public page of a list: the invitation, the form, and what happens after subscribing. */
function ListPage({ slug }: { slug: string }) {
  const { data, error, isFetching, refetch } = usePublicList(slug);
  useDocumentTitle(data ? `Subscribe to ${data.name}` : 'Subscribe');
  if (isApiError(error) && error.status === 404) return <NoSuchList />;
  if (error && !data)
    return <SectionError message={messages.listFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <PlainCard>
        <LoadingRegion label="Loading the list">
          <Skeleton width="40%" />
          <Skeleton width="80%" height={40} />
          <Skeleton width="65%" />
          <Skeleton height={64} sx={{ mt: 2 }} />
        </LoadingRegion>
      </PlainCard>
    );
  }
  return (
    <>
      <PlainCard>
        <Invitation list={data} />
        <SubscribeForm list={data} />
      </PlainCard>
      <WhatNext />
    </>
  );
}

const CONTENT_NAMES = { 'job-posts': 'job posts', 'candidate-lists': 'lists of available candidates' } as const;

function Invitation({ list }: { list: PublicList }) {
  const { name, description, agencyName, agencyLogo, ownerName, subscriptionType } = list;
  const host = ownerName ?? agencyName ?? 'The owner of this list';
  return (
    <Box sx={{ mb: 3 }}>
      {(agencyLogo || agencyName) && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mb: 2, minWidth: 0 }}>
          {agencyLogo && <AgencyLogo url={agencyLogo} />}
          {agencyName && (
            <Typography sx={{ fontWeight: 620, minWidth: 0, overflowWrap: 'anywhere' }}>{agencyName}</Typography>
          )}
        </Box>
      )}
      <Typography variant="h1" sx={{ fontSize: '1.625rem', overflowWrap: 'anywhere' }}>
        {name}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 1, fontSize: '0.9375rem', overflowWrap: 'anywhere' }}>
        {host} invites you to receive {CONTENT_NAMES[subscriptionType]} by email.
      </Typography>
      {description && (
        <Typography sx={{ mt: 1.5, whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{description}</Typography>
      )}
    </Box>
  );
}

function WhatNext() {
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-labelledby="what-next"
      sx={{ mt: 2, px: { xs: 2.5, sm: 4 }, py: 2.5, borderRadius: 4 }}
    >
      <Typography component="h2" variant="h3" id="what-next">
        {messages.next}
      </Typography>
      <Box component="ol" sx={{ color: 'text.secondary', pl: 2.5, mt: 1, mb: 0, '& li': { mb: 0.75 } }}>
        <li>We email you a link. Nothing else is sent before you click it.</li>
        <li>You click the link, and you are on the list.</li>
        <li>Every message carries a link to leave, and leaving takes one click.</li>
      </Box>
    </Paper>
  );
}

function NoSuchList() {
  return (
    <PlainCard>
      <ResultPage
        icon={IconSearch}
        title={messages.listNotFound}
        text="This link leads to no list. Its owner may have deleted the list, or part of the link is missing."
      >
        <Button component={AppLink} to={routes.home.path} variant="outlined" color="inherit">
          Go to home
        </Button>
      </ResultPage>
    </PlainCard>
  );
}

/** The agency's logo, loaded from its own host without a referrer. It is left out when it fails to load. */
function AgencyLogo({ url }: { url: string }) {
  const [failed, setFailed] = useState(false);
  if (failed || !url.startsWith('https://')) return null;
  return (
    <Box
      component="img"
      src={url}
      alt=""
      referrerPolicy="no-referrer"
      decoding="async"
      onError={() => setFailed(true)}
      sx={{ display: 'block', height: 44, maxWidth: 180, objectFit: 'contain', flexShrink: 0, borderRadius: 1 }}
    />
  );
}

export function ListPageScreen() {
  const slug = usePathPart('subscribeList', 'slug');
  return <ListPage slug={slug} />;
}
