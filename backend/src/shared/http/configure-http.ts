import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import { Settings } from '../config/settings.js';
import { drainRequests } from '../lifecycle/drain.js';
import { timeRequests } from '../metrics/http-metrics.js';
import { metricsPage } from '../metrics/metrics-page.js';
import { setUpDocs } from '../openapi/docs.js';
import { ErrorFilter } from './responses/error.filter.js';
import { refuseForeignHosts } from './requests/own-hosts.js';
import { refuseOddRequests } from './requests/request-shape.js';
import { noStore, securityHeaders } from './responses/security-headers.js';
import { SIMULATOR_PAGES, simulatorPages } from './pages/simulator-pages.js';
import { dropUnreadBody } from './requests/request-body.js';
import { createValidationPipe } from './requests/validation.pipe.js';
import { WebApp } from './pages/web-app.js';

/**
 * Sets up the HTTP middleware, for production and tests alike. Call it before `init`, on an app that was created with
 * `bodyParser: false`.
 */
export function configureHttp(app: NestExpressApplication, settings: Settings = app.get(Settings)): void {
  const webApp = new WebApp(settings.linkGuardSeconds);
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxy);
  app.set('query parser', 'simple');
  app.use(
    timeRequests(app),
    drainRequests(app),
    securityHeaders(settings),
    refuseForeignHosts(settings),
    dropUnreadBody,
    refuseOddRequests,
  );
  app.use(
    compression({
      filter: (req, res) => !/event-stream/.test(String(res.getHeader('content-type'))) && compression.filter(req, res),
    }),
  );
  app.use(SIMULATOR_PAGES, simulatorPages(settings));
  app.use(webApp.files());
  app.use('/api', noStore);
  app.use(cookieParser());
  app.use('/api/metrics', metricsPage(app, settings));
  app.useGlobalFilters(new ErrorFilter(webApp));
  app.useGlobalPipes(createValidationPipe());
  setUpDocs(app, settings);
}
