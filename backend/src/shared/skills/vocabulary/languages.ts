/** Programming languages, and frameworks for them. */
export const LANGUAGES = `
Java|core java|java se|java ee|java 8|java 11|java 17|java 21|jdk
J2EE|jee|jakarta ee
JavaScript|java script|js|es6|ecmascript|vanilla js
TypeScript|type script|ts
Python|python3
C#|c sharp|csharp
C++|cpp|c plus plus
?C|ansi c|embedded c
.NET|dot net|dotnet|.net framework|net framework
.NET Core|dot net core|dotnet core|net core|.net 6|.net 8
ASP.NET|asp .net|asp.net mvc|asp .net mvc|asp net
ASP.NET Core|asp .net core
VB.NET|vb .net|visual basic|vb6
?Go|golang|go lang
?R|r programming|r language|rstudio|r studio
?Rust
Ruby
Ruby on Rails|ror|rails
PHP
Perl
Scala
Kotlin
?Swift|swiftui
Objective-C|objective c|obj c
?Dart
?Groovy
Haskell
Elixir
Erlang
Clojure
COBOL
Fortran
MATLAB
?Julia
Solidity
Shell Scripting|shell script|shell scripts|bash|unix shell|korn shell|ksh|unix shell scripting|bash scripting|shell
PowerShell|power shell
SQL
PL/SQL|plsql|pl sql
T-SQL|tsql|transact sql
HTML|html5|html 5
CSS|css3|css 3
?Sass|scss
?Less
jQuery
AJAX
XML
XSLT
JSON
React|react.js|reactjs|react js
React Native
Redux
Next.js|nextjs|next js
Angular|angularjs|angular js|angular 2
Vue.js|vue|vuejs|vue js
Svelte
Node.js|node|nodejs|node js
Express.js|expressjs|express js
NestJS|nest.js
Bootstrap
Tailwind CSS|tailwind
Webpack
Material UI|mui
Ember.js|emberjs
Backbone.js|backbonejs
Spring|spring framework|spring mvc|spring core
Spring Boot|springboot|spring boots
Spring Cloud
Spring Security
Spring Batch
Hibernate
JPA|java persistence api
JSP
JSF
JMS
Servlets|servlet
?Struts
JDBC
Microservices|micro services|microservice|micro service
REST API|restful|rest api|rest apis|restful api|restful apis|restful services|restful web services|rest services|rest web services|web api|?rest
SOAP|soap api|soap web services
Web Services|webservices|web service
GraphQL|graph ql
gRPC
WCF
WPF
Blazor
LINQ
Entity Framework|ef core|entity framework core
Django
Flask
FastAPI|fast api
Pandas
NumPy
SciPy
PySpark|py spark
scikit-learn|scikit learn|sklearn
TensorFlow
PyTorch
Keras
Laravel
Symfony
CodeIgniter
WordPress
Drupal
Magento
Shopify
`;
