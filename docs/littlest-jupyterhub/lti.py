# /opt/tljh/config/jupyterhub_config.d/lti.py: students come from the course's page in Moodle (LTI 1.3).
c = get_config()  # noqa: F821 - JupyterHub defines it

MOODLE = "https://moodle.example.edu"  # yours

c.JupyterHub.authenticator_class = "ltiauthenticator.lti13.auth.LTI13Authenticator"
c.LTI13Authenticator.issuer = MOODLE
c.LTI13Authenticator.authorize_url = f"{MOODLE}/mod/lti/auth.php"
c.LTI13Authenticator.jwks_endpoint = f"{MOODLE}/mod/lti/certs.php"
c.LTI13Authenticator.client_id = ["the identifier that Moodle shows once the tool is registered"]
c.LTI13Authenticator.username_key = "email"  # a claim that no two students share
c.Authenticator.allow_all = True  # whoever Moodle sends is one of the course
