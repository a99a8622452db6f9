/** Databases, messaging, monitoring, and tools for moving and visualising data. */
export const DATA_TOOLS = `
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
`;
