/** Clouds, operating systems, and tools to build and operate software. */
export const PLATFORMS = `
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
`;
