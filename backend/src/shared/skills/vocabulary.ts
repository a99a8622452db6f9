/**
 * Skills of information technology, one a line: the name, then its aliases after bars. A name after `?` is also a
 * common word or a letter, and counts only beside other skills.
 */
export const SKILL_LINES = `
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
AWS|amazon web services|amazon aws
Azure|microsoft azure|ms azure|azure cloud
GCP|google cloud|google cloud platform
OCI|oracle cloud infrastructure
IBM Cloud
AWS Lambda|lambda
Amazon EC2|ec2
Amazon S3|s3|aws s3
Amazon ECS|ecs
Amazon EKS|eks
Amazon RDS|rds
Amazon Redshift|redshift|aws redshift
AWS Glue|glue
CloudFormation|cloud formation
DynamoDB|dynamo db
Amazon SQS|sqs
Amazon SNS|sns
SageMaker
Step Functions
CloudWatch|cloud watch
API Gateway
IAM|identity and access management
Azure DevOps|ado|vsts|tfs
Azure Data Factory|adf|data factory
Azure Functions|azure function
Azure Synapse|synapse
Azure Databricks
AKS|azure kubernetes service
Azure Active Directory|azure ad|entra id|entra
Microsoft Fabric|ms fabric
BigQuery|big query
Docker|docker container|docker containers
Kubernetes|k8s|k8
OpenShift|open shift
Helm
Terraform
Ansible
?Puppet
?Chef
Jenkins
GitHub Actions|github action
GitLab CI|gitlab ci cd|gitlab
CircleCI|circle ci
Argo CD|argocd
Bamboo
TeamCity
Octopus Deploy
CI/CD|ci cd|cicd|continuous integration|ci cd pipelines
DevOps|dev ops
DevSecOps
Git
GitHub
Bitbucket
SVN|subversion
Maven
Gradle
Nexus
Artifactory
SonarQube|sonar
Linux|red hat|redhat|rhel|red hat linux|centos
Ubuntu
Unix
Windows Server
VMware|vm ware|vsphere|esxi
Hyper-V
Citrix
Active Directory
Office 365|o365|m365|microsoft 365
SCCM
Intune
Oracle|oracle database|oracle db|oracle 19c|oracle 12c
SQL Server|ms sql|mssql|ms sql server|microsoft sql server|sql server 2019
MySQL|my sql
PostgreSQL|postgres|postgre sql|postgresql db
MongoDB|mongo|mongo db
Cassandra
Redis
Couchbase
Neo4j
MariaDB
DB2|ibm db2
Teradata
Snowflake
Sybase
Netezza
Vertica
HBase
Cosmos DB|cosmosdb
NoSQL|no sql
Elasticsearch|elastic search|elastic
ELK|elk stack
Kibana
Logstash
Solr
Splunk
Datadog
Dynatrace
AppDynamics|app dynamics
New Relic
Prometheus
Grafana
Nagios
PagerDuty
Kafka|apache kafka
RabbitMQ|rabbit mq
ActiveMQ
IBM MQ|mq series|websphere mq
Hadoop
Spark|apache spark
?Hive|apache hive
?Pig
Impala
HDFS
Sqoop
Airflow|apache airflow
Flink
NiFi|apache nifi
Databricks|data bricks
Delta Lake
dbt|data build tool
Informatica|informatica powercenter|informatica power center|powercenter|iics|informatica cloud
Informatica MDM
MDM|master data management
Talend
DataStage|data stage
SSIS
SSRS
SSAS
Ab Initio|abinitio
Alteryx
ETL
ELT
Data Warehousing|data warehouse|data warehouses|dwh|edw
Data Modeling|data modelling|data model|data models
Erwin
Data Governance
Collibra
Data Lake
Big Data
Power BI|powerbi|power bi desktop
DAX
Power Query
Tableau
?Looker
Qlik|qlikview|qlik sense|qliksense
MicroStrategy
Cognos
Business Objects|sap bo|bobj
SAS
SPSS
?Excel|ms excel|microsoft excel|advanced excel
Power Apps|powerapps
Power Automate
Power Platform
SharePoint|share point
Dynamics 365|d365|ms dynamics|microsoft dynamics|dynamics crm
Salesforce|sfdc|salesforce crm
?Apex
Visualforce
Lightning Web Components|lwc|lightning
Salesforce CPQ
Marketing Cloud|sfmc|salesforce marketing cloud
MuleSoft|mule soft|mule esb|mule
Dell Boomi|boomi
TIBCO
webMethods|web methods
IBM WebSphere|websphere
WebLogic
Tomcat|apache tomcat
JBoss
Nginx
IIS
Apigee
ServiceNow|service now|snow
ITSM
ITIL
Workday
PeopleSoft|people soft
NetSuite
Oracle EBS|oracle e-business suite|ebs
Oracle Fusion|fusion cloud|oracle fusion cloud
Oracle HCM
OIC|oracle integration cloud
SAP
SAP FICO|fico|sap fi co
SAP MM
SAP SD
SAP ABAP|abap
SAP HANA|hana
S/4HANA|s4hana|s 4hana|s4 hana|s 4 hana|sap s4
SAP BW
SAP Fiori|fiori
SAP UI5|ui5
SAP SuccessFactors|successfactors
SAP Ariba|ariba
SAP EWM|ewm
SAP PI/PO|sap pi po
SAP Basis
SAP CPI
Pega|pega prc
Appian
Camunda
UiPath|ui path
Automation Anywhere
Blue Prism
RPA|robotic process automation
OutSystems
Guidewire|guidewire policycenter
PolicyCenter|policy center
ClaimCenter|claim center
BillingCenter|billing center
Duck Creek
Selenium|selenium webdriver|selenium web driver
Cypress
Playwright
Cucumber
TestNG
JUnit
Mockito
Postman
SoapUI|soap ui
JMeter
LoadRunner|load runner
Appium
Katalon
Tosca|tricentis tosca
UFT|qtp
BDD|behavior driven development
TDD|test driven development
Jest
Mocha
Jasmine
Karma
API Testing
Manual Testing
Automation Testing|test automation|automated testing
Performance Testing
Regression Testing
UAT|user acceptance testing
HP ALM|alm|quality center
JIRA|atlassian jira
Confluence
Rally
Agile|agile methodology|agile methodologies
Scrum
Kanban
SAFe|scaled agile
SDLC
PMP
MS Project|microsoft project
Visio|ms visio
Figma
?Sketch
Adobe XD
Photoshop
Adobe Experience Manager|aem
Sitecore
Machine Learning|ml
Deep Learning
NLP|natural language processing
Computer Vision
Generative AI|gen ai|genai
LLM|llms|large language models|large language model
LangChain
RAG|retrieval augmented generation
OpenAI|open ai
MLOps|ml ops
Kubeflow
MLflow
Data Science
Data Analysis|data analytics
Statistics
Android
iOS
Xamarin
Flutter
Ionic
Cordova
Kotlin Multiplatform
Cybersecurity|cyber security
SIEM
SailPoint|sail point
Okta
CyberArk|cyber ark
Ping Identity|pingfederate|ping federate
ForgeRock
OAuth|oauth2|oauth 2.0
SAML
LDAP
SSO|single sign on
PKI
Nessus
Qualys
CrowdStrike
Palo Alto Firewalls|palo alto firewall
Firewalls|firewall
Cisco|cisco routers
CCNA
CCNP
BGP
OSPF
MPLS
TCP/IP|tcp ip
DNS
DHCP
VPN
VoIP
F5|f5 load balancer
Load Balancing|load balancers|load balancer
SD-WAN|sd wan
Meraki
Juniper
Fortinet
NIST
SOC 2
HIPAA
PCI DSS|pci
GDPR
Penetration Testing|pen testing
OWASP
Mainframe|mainframes
JCL
CICS
VSAM
z/OS|z os
AS/400|as400|iseries|as 400
RPG|rpgle
Embedded Systems|embedded
RTOS
PLC
SCADA
AutoCAD
SolidWorks
Verilog
VHDL
FPGA
HL7
FHIR
Epic
Cerner
EDI
X12
SWIFT Payments
FIX Protocol
OOP|object oriented programming
Design Patterns|design pattern
Data Structures
Multithreading|multi threading
Event-Driven Architecture|event driven architecture|event driven
Domain-Driven Design|domain driven design
Distributed Systems
Serverless
WebSockets|websocket
OpenAPI|swagger
Crystal Reports
Control-M|control m
Autosys
Business Analysis
Requirements Gathering|requirement gathering
User Stories
Project Management
Stakeholder Management
Change Management
Technical Writing
Troubleshooting
UML
BPMN
UX Design|ux
UI Design
Wireframes|wireframing
Accessibility|section 508|wcag
SEO
Google Analytics
Segment.io
Tealium
Veeva
`;
